import { constants } from 'node:os';

/** SIGHUP: the terminal was closed. */
const names = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Returns a signal that is aborted when the process is asked to end, with the name of that request as its reason. Later
 * requests change nothing. Call it first: process 1 of a container ignores what it does not handle, and any other
 * process ends at once.
 */
export function handleStopSignals(): AbortSignal {
  const aborter = new AbortController();
  for (const name of names) process.on(name, () => aborter.abort(name));
  return aborter.signal;
}

/** Returns the exit code of a process whose work was cut off by the signal. */
export const exitCodeOf = (stopSignal: AbortSignal): number =>
  128 + constants.signals[stopSignal.reason as (typeof names)[number]];
