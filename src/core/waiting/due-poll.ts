/** Interval between checks while something happens, in milliseconds. */
const busyMs = 1_000;
/**
 * Interval between checks otherwise, in milliseconds. It is shorter than any lease, so that the lease of another
 * process is seen before it expires. It is also the longest delay of work whose notification was lost.
 */
const quietMs = 9_000;

/** Checks for due work: every second while something happens, otherwise at the next due time. */
export interface DuePoll {
  /** Checks immediately, and regularly from then on. */
  start(): void;
  /** Reports that something happened, such as a notification: checks again within a second. */
  note(): void;
  /** Stops. Resolves when no check is running. */
  stop(): Promise<void>;
}

/**
 * Creates a poll. `check` returns the milliseconds until more work is due, at most 0 if some is due already, or null if
 * none is known.
 */
export function createDuePoll(check: () => Promise<number | null>, onError: (error: unknown) => void): DuePoll {
  let timer: NodeJS.Timeout | undefined;
  let nextAtMs = Infinity;
  let running: Promise<void> | undefined;
  let isNoted = false;
  let isStopped = true;

  function scheduleCheck(ms: number): void {
    if (isStopped) return;
    clearTimeout(timer);
    nextAtMs = performance.now() + ms;
    timer = setTimeout(() => {
      nextAtMs = Infinity;
      running = runCheck().finally(() => (running = undefined));
    }, ms);
  }

  async function runCheck(): Promise<void> {
    isNoted = false;
    let dueInMs: number | null = 0;
    try {
      dueInMs = await check();
    } catch (error) {
      onError(error);
    }
    const isBusy = isNoted || (dueInMs !== null && dueInMs <= 0);
    const waitMs = Math.min(isBusy ? busyMs : quietMs, dueInMs !== null && dueInMs > 0 ? dueInMs : Infinity);
    scheduleCheck(Math.ceil(waitMs));
  }

  return {
    start: () => {
      isStopped = false;
      scheduleCheck(0);
    },
    note: () => {
      isNoted = true;
      if (!running && nextAtMs > performance.now() + busyMs) scheduleCheck(busyMs);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
