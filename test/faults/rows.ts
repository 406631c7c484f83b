import { inBrowser } from './rows/console.ts';
import type { FaultRow } from './rows/fault-row.ts';
import { machine } from './rows/machine.ts';
import { outside } from './rows/outside.ts';
import { processes } from './rows/processes.ts';
import { replies } from './rows/replies.ts';

/** Every row, in the order of their numbers. */
export const rows: readonly FaultRow[] = [...processes, ...replies, ...outside, ...machine, ...inBrowser];
