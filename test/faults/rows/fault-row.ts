/** One or more tests of a file, given by the beginning of their full name: `describe > test`. */
export interface Scenario {
  /** Below `test/`. */
  file: string;
  name: string;
  /** What is broken and how often, if the test does not report it: quick, and `--long` if that differs. */
  times: string;
}

/** A fault and the scenarios that cause it. */
export interface FaultRow {
  id: string;
  fault: string;
  scenarios: readonly Scenario[];
}

/** A scenario of a row. */
export const at = (file: string, name: string, times: string): Scenario => ({ file, name, times });
