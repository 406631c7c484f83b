interface Waiting {
  start(): void;
}

/** Limits concurrent work in total and for each account or other key, and schedules accounts round-robin. */
export interface FairQueue {
  /**
   * Runs the work once there is capacity.
   * @throws the signal's reason if it is aborted before that, and what the work throws
   */
  run<Result>(account: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Creates a queue that is first-in, first-out within an account and round-robin between accounts, so that a hundred
 * replies of one account do not delay the single reply of another.
 */
export function createFairQueue({ total, perAccount }: { total: number; perAccount: number }): FairQueue {
  const waiting = new Map<string, Waiting[]>();
  const running = new Map<string, number>();
  let runningInAll = 0;

  const begin = (account: string): (() => void) => {
    runningInAll += 1;
    running.set(account, (running.get(account) ?? 0) + 1);
    let done = false;
    return () => {
      if (done) return;
      done = true;
      runningInAll -= 1;
      const left = (running.get(account) ?? 1) - 1;
      if (left > 0) running.set(account, left);
      else running.delete(account);
      startNext();
    };
  };

  const hasCapacity = (account: string): boolean => runningInAll < total && (running.get(account) ?? 0) < perAccount;

  const startNext = (): void => {
    for (const [account, queue] of waiting) {
      if (runningInAll >= total) return;
      if (!hasCapacity(account)) continue;
      // Moved to the end, so that another account is next.
      waiting.delete(account);
      const [next, ...rest] = queue;
      if (rest.length > 0) waiting.set(account, rest);
      next?.start();
    }
  };

  const acquire = (account: string, signal: AbortSignal): Promise<() => void> => {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (hasCapacity(account) && !waiting.has(account)) return Promise.resolve(begin(account));
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve(begin(account));
        },
      };
      const leave = () => {
        const queue = (waiting.get(account) ?? []).filter((other) => other !== entry);
        if (queue.length > 0) waiting.set(account, queue);
        else waiting.delete(account);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.set(account, [...(waiting.get(account) ?? []), entry]);
    });
  };

  return {
    async run(account, signal, work) {
      const release = await acquire(account, signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
