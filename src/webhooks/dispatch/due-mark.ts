/**
 * The due time before which no delivery is pending. Searches start there: entries of sent deliveries stay in the index
 * as long as an old snapshot is open (by a backup, for example), and each search would have to skip them.
 */
export class DueMark {
  #from: Date | null = null;
  #readAllAtMs = -Infinity;

  /** Returns the mark, even if it is stale. */
  peek(): Date | null {
    return this.#from;
  }

  /** Whether `read` would return null. */
  get isStale(): boolean {
    return performance.now() - this.#readAllAtMs >= readAllAfterMs;
  }

  /**
   * Returns the mark, or null to search everything. It is null at first and once a minute, to find deliveries that were
   * committed late.
   */
  read(): Date | null {
    if (!this.isStale) return this.#from;
    this.#readAllAtMs = performance.now();
    return null;
  }

  /** Sets the mark to a value computed by `pendingFrom`. */
  note(from: Date): void {
    this.#from = from;
  }
}

const readAllAfterMs = 60_000;

/**
 * Longer than any transaction. An open transaction may still commit a delivery that was due when the transaction began.
 */
const settledAfter = `interval '60 seconds'`;

/** Returns SQL for the next mark. `firstPending` is an expression for the first due time of a pending delivery. */
export const pendingFrom = (firstPending: string): string => `least(${firstPending}, now() - ${settledAfter})`;
