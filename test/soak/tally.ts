/** Counters and response times. */
export interface Tally {
  count(what: string): void;
  of(what: string): number;
  /** Returns the counters with the prefix, most frequent first, without the prefix. */
  under(prefix: string): [string, number][];
  took(ms: number): void;
  /** Quantile of the response times in milliseconds. */
  quantile(q: number): number;
}

const bucketsPerDoubling = 8;

export function createTally(): Tally {
  const counts = new Map<string, number>();
  // Logarithmic buckets: memory does not grow with the run.
  const buckets = new Map<number, number>();
  let timed = 0;
  return {
    count: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    of: (what) => counts.get(what) ?? 0,
    under: (prefix) =>
      [...counts]
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, count]): [string, number] => [name.slice(prefix.length), count])
        .toSorted((a, b) => b[1] - a[1]),
    took(ms) {
      const bucket = Math.ceil(Math.log2(Math.max(ms, 0.1)) * bucketsPerDoubling);
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
      timed += 1;
    },
    quantile(q) {
      let left = q * timed;
      for (const [bucket, count] of [...buckets].toSorted((a, b) => a[0] - b[0])) {
        left -= count;
        if (left <= 0) return 2 ** (bucket / bucketsPerDoubling);
      }
      return 0;
    },
  };
}
