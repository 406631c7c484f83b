/** One or more tests of a file, named by how their full names begin: `describe > test`. */
export interface Scenario {
  /** Below `test/`. */
  file: string;
  name: string;
  /** How often it breaks what, where the test does not say so itself: quick, and `--long` where that differs. */
  times: string;
}

/** A row of the catalogue of faults: what breaks, and the scenarios that break it. */
export interface FaultRow {
  id: string;
  fault: string;
  scenarios: readonly Scenario[];
}

/** A scenario of a row. */
export const at = (file: string, name: string, times: string): Scenario => ({ file, name, times });
