/** Between two looks while something happens. */
const busyMs = 1_000;
/**
 * Between two looks otherwise. Shorter than any lease, so that a lease of another process is seen before it expires, and
 * the longest delay of work whose notification was lost.
 */
const quietMs = 9_000;

/** Looks for due work: once a second while something happens, else at the next moment at which something is due. */
export interface DuePoll {
  /** Looks at once, and from then on. */
  start(): void;
  /** Something happened, such as a notification: looks again within a second. */
  note(): void;
  /** Resolves when no look is under way any more. */
  stop(): Promise<void>;
}

/** `look` returns the milliseconds until more is due, at most 0 if something is due already, null if nothing is known to be. */
export function createDuePoll(look: () => Promise<number | null>, onError: (error: unknown) => void): DuePoll {
  let timer: NodeJS.Timeout | undefined;
  let nextAtMs = Infinity;
  let looking: Promise<void> | undefined;
  let isNoted = false;
  let isStopped = true;

  function lookIn(ms: number): void {
    if (isStopped) return;
    clearTimeout(timer);
    nextAtMs = performance.now() + ms;
    timer = setTimeout(() => {
      nextAtMs = Infinity;
      looking = lookNow().finally(() => (looking = undefined));
    }, ms);
  }

  async function lookNow(): Promise<void> {
    isNoted = false;
    let dueInMs: number | null = 0;
    try {
      dueInMs = await look();
    } catch (error) {
      onError(error);
    }
    const isBusy = isNoted || (dueInMs !== null && dueInMs <= 0);
    const waitMs = Math.min(isBusy ? busyMs : quietMs, dueInMs !== null && dueInMs > 0 ? dueInMs : Infinity);
    lookIn(Math.ceil(waitMs));
  }

  return {
    start: () => {
      isStopped = false;
      lookIn(0);
    },
    note: () => {
      isNoted = true;
      if (!looking && nextAtMs > performance.now() + busyMs) lookIn(busyMs);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
