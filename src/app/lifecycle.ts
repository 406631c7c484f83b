import type { Logger } from 'pino';
import { withTimeout } from '../core/waiting/with-timeout.ts';

/** Stops a part. `leftMs` is the time that remains for it and for all parts that stop after it. */
type Stop = (leftMs: number) => Promise<unknown> | void;

/** Resources to stop when the process exits or a later startup step fails. */
export interface Lifecycle {
  /** Registers how to stop a part that has just started. `part` names it in the log. */
  onStop(part: string, stop: Stop): void;
  /**
   * Stops each part once, in reverse order; a second call waits for the first. A part that fails or exceeds the remaining
   * time is logged and does not keep the others from stopping.
   */
  stop(): Promise<void>;
}

/** Less than the 40 seconds after which the process exits in any case. */
const defaultLimitMs = 36_000;
/** Smallest time limit of each part, so that the last ones can stop too. */
const minMs = 300;

export function createLifecycle(log: Logger, limitMs = defaultLimitMs): Lifecycle {
  const started: { part: string; stop: Stop }[] = [];
  let stopping: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    const deadlineMs = performance.now() + limitMs;
    for (let last = started.pop(); last; last = started.pop()) {
      const { part, stop } = last;
      const leftMs = Math.max(deadlineMs - performance.now(), minMs);
      try {
        await withTimeout(Promise.resolve(stop(leftMs)), leftMs, () => {
          throw new Error(`${part} did not stop within ${Math.round(leftMs)} ms`);
        });
      } catch (error) {
        log.error({ err: error, part }, 'a part of the service did not stop cleanly');
      }
    }
  };
  return {
    onStop: (part, stop) => void started.push({ part, stop }),
    stop: () => (stopping ??= stopAll()),
  };
}
