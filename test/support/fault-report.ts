import type { TestContext } from 'vitest';

/** The result of a scenario, for the table that `npm run faults` prints. */
export interface FaultReport {
  /** What was broken and how often: `3 kills`. */
  times: string;
  /** What the auditor compared: `120 acknowledged messages`. */
  checked: string;
  /** How it was broken, if that depends on the machine, and notable figures. */
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

/** Reports a passed scenario. Call it at the end; a scenario that lost data throws before. */
export function report({ task }: Pick<TestContext, 'task'>, what: FaultReport): void {
  task.meta.fault = what;
}
