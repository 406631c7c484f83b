/**
 * The due time before which no delivery is pending. Deliveries are looked for from there on: those that were sent stay in the
 * index for as long as anybody holds an old snapshot (a backup, say), and each look would step over them.
 */
export class DueMark {
  #from: Date | null = null;
  #readAllAtMs = -Infinity;

  /** The time, without the exception that `read` makes every minute. */
  peek(): Date | null {
    return this.#from;
  }

  /** Whether `read` would return null. */
  get isStale(): boolean {
    return performance.now() - this.#readAllAtMs >= readAllAfterMs;
  }

  /** Null for all: at first, and every minute, for what was written late. */
  read(): Date | null {
    if (!this.isStale) return this.#from;
    this.#readAllAtMs = performance.now();
    return null;
  }

  /** Takes what `pendingFrom` has computed. */
  note(from: Date): void {
    this.#from = from;
  }
}

const readAllAfterMs = 60_000;

/** An open transaction may still write a delivery that is due when it began, and none lasts as long as this. */
const settledAfter = `interval '60 seconds'`;

/** SQL of the next mark, from that of the first due time that is pending. */
export const pendingFrom = (firstPending: string): string => `least(${firstPending}, now() - ${settledAfter})`;
