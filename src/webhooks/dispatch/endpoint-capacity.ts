import type { CapacityTotals } from './capacity-totals.ts';
import { DueMark } from './due-mark.ts';

/** Maximum number of concurrent POSTs to one endpoint. As many again may wait for their outcome to be recorded. */
const largestWindow = 32;
const smallestWindow = 4;
/** Capacity of an endpoint without history. */
export const initialCapacity = 8;
/**
 * Maximum number of deliveries prefetched for an endpoint with a full window. At most the deliveries it handles in
 * `aheadMs` are prefetched.
 */
const maxAhead = 128;
const aheadMs = 1_000;
/** Weight of the latest response in the moving average. */
const newestWeight = 0.2;
/** Factor above the limit at which excess deliveries are released, so that small fluctuations release none. */
const excessFactor = 1.5;
/** Idle time after which an endpoint is treated like a new one. */
const idleMs = 2_000;

/**
 * The capacity of an endpoint and the deliveries that this process holds for it. The window of concurrent POSTs grows
 * by one with each success and halves with each failure. This process holds the lease of all of these deliveries.
 */
export class EndpointCapacity<Item> {
  readonly webhookId: string;
  readonly accountId: string;
  /** Due mark of the endpoint's deliveries. */
  readonly dueMark = new DueMark();
  readonly #totals: CapacityTotals;
  /** Claimed deliveries that are not sent yet. */
  #waiting: Item[] = [];
  #inFlight = 0;
  /** Number of responses whose outcome is not recorded yet. */
  #unrecorded = 0;
  #unrecordedFailures = 0;
  /** Number of consecutive failures last reported by the database. */
  #recordedFailures = 0;
  #responses = 0;
  #responseMs = 0;
  #window = initialCapacity;
  #isSuspect = false;
  #failedAtMs = -1;
  #usedAtMs = performance.now();
  #hasBacklog = false;

  constructor(webhookId: string, accountId: string, totals: CapacityTotals) {
    this.webhookId = webhookId;
    this.accountId = accountId;
    this.#totals = totals;
  }

  get held(): number {
    return this.#waiting.length + this.#inFlight + this.#unrecorded;
  }

  /** Whether the last attempt failed. */
  get isSuspect(): boolean {
    return this.#isSuspect;
  }

  /** Whether the endpoint failed since its last success, as far as this process knows. */
  get isFailing(): boolean {
    return this.#recordedFailures > 0 || this.#unrecordedFailures > 0;
  }

  get hasUnrecordedFailures(): boolean {
    return this.#unrecordedFailures > 0;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether the table may have due deliveries for the endpoint. */
  get hasBacklog(): boolean {
    return this.#hasBacklog;
  }

  /** Total number of finished POSTs. */
  get responses(): number {
    return this.#responses;
  }

  /** Time of the last claim, from `performance.now()`. */
  get usedAtMs(): number {
    return this.#usedAtMs;
  }

  /** Whether the endpoint must not be treated like a new one. */
  get hasHistory(): boolean {
    return (
      this.#hasBacklog ||
      this.isFailing ||
      this.held > 0 ||
      this.#window < initialCapacity ||
      this.#usedAtMs > performance.now() - idleMs
    );
  }

  /** Number of further deliveries that may be claimed. */
  get free(): number {
    return Math.max(0, Math.min(this.#maxHeld - this.held, this.#totals.freeFor(this)));
  }

  /** Returns whether an attempt failed at or after `sinceMs`, a time from `performance.now()`. */
  hasFailedSince(sinceMs: number): boolean {
    return this.#failedAtMs >= sinceMs;
  }

  noteBacklog(): void {
    this.#hasBacklog = true;
  }

  clearBacklog(): void {
    this.#hasBacklog = false;
  }

  /**
   * Sets the number of consecutive failures reported by the database, which includes those recorded by other processes.
   */
  noteRecordedFailures(count: number): void {
    this.#recordedFailures = count;
  }

  /** Adds a claimed delivery, which waits until `takeNext` returns it. */
  hold(item: Item): void {
    this.#waiting.push(item);
    this.#usedAtMs = performance.now();
    this.#totals.claimed(this);
  }

  /** Returns the next delivery to send, or undefined if none is waiting or the window is full. */
  takeNext(): Item | undefined {
    if (this.#inFlight >= this.#window || this.#inFlight + this.#unrecorded >= 2 * this.#window) return undefined;
    const item = this.#waiting.shift();
    if (item === undefined) return undefined;
    this.#inFlight++;
    this.#totals.sending();
    return item;
  }

  /** Notes the end of a POST. `succeeded` is null if the result does not depend on the endpoint. */
  noteResponse(succeeded: boolean | null, durationMs: number | null): void {
    this.#inFlight--;
    this.#unrecorded++;
    this.#responses++;
    if (durationMs !== null) this.#responseMs += (durationMs - this.#responseMs) * newestWeight;
    if (succeeded === null) return;
    if (succeeded) this.#window = Math.min(largestWindow, this.#window + 1);
    else {
      this.#unrecordedFailures++;
      this.#failedAtMs = performance.now();
      this.#window = Math.max(smallestWindow, Math.floor(this.#window / 2));
    }
    if (this.#isSuspect === succeeded) this.#totals.suspicionChanged(!succeeded, this.held);
    this.#isSuspect = !succeeded;
  }

  /** Notes that the outcome of a POST was recorded or given up. `succeeded` is the same as for `noteResponse`. */
  noteRecorded(succeeded: boolean | null): void {
    this.#unrecorded--;
    if (succeeded === false) this.#unrecordedFailures--;
    this.#totals.recorded();
    this.#totals.released(this, 1);
  }

  /** Removes and returns all waiting deliveries. */
  releaseWaiting(): Item[] {
    return this.#release(this.#waiting.splice(0));
  }

  /** Removes and returns expired deliveries from the front of the queue. */
  releaseExpired(isExpired: (item: Item) => boolean): Item[] {
    const firstValid = this.#waiting.findIndex((item) => !isExpired(item));
    return this.#release(this.#waiting.splice(0, firstValid === -1 ? this.#waiting.length : firstValid));
  }

  /** Removes and returns prefetched deliveries for which the endpoint has become too slow. */
  releaseExcess(): Item[] {
    const { held } = this;
    const max = this.#maxHeld;
    return held > max * excessFactor ? this.#release(this.#waiting.splice(max - held)) : [];
  }

  get #maxHeld(): number {
    if (this.#isSuspect || this.#window < largestWindow) return this.#window;
    const ahead = Math.floor((this.#window * aheadMs) / Math.max(this.#responseMs, 1));
    return 2 * this.#window + Math.min(maxAhead, ahead);
  }

  #release(items: Item[]): Item[] {
    this.#totals.released(this, items.length);
    return items;
  }
}
