import type { TestContext } from 'vitest';

/** What a scenario did, for the table that `npm run faults` prints. */
export interface FaultReport {
  /** How often what was broken: `3 kills`. */
  times: string;
  /** What the auditor compared: `120 acknowledged messages`. */
  checked: string;
  /** How it was broken, where that depends on the machine, and figures worth reading. */
  note?: string;
}

declare module 'vitest' {
  interface TaskMeta {
    fault?: FaultReport;
  }
}

/** `FAULTS=long` is the full form: hours instead of minutes. */
const isLong = process.env['FAULTS'] === 'long';

/** The count for this form. */
export const countOf = ({ quick, long }: { quick: number; long: number }): number => (isLong ? long : quick);

/** Called at the end of a scenario, when everything was found: a scenario that lost something has thrown before. */
export function report({ task }: Pick<TestContext, 'task'>, what: FaultReport): void {
  task.meta.fault = what;
}
