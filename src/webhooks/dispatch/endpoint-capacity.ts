import type { CapacityTotals } from './capacity-totals.ts';
import { DueMark } from './due-mark.ts';

/** Concurrent POSTs to one endpoint. Up to as many again may wait for their outcome to be recorded. */
const largestWindow = 32;
const smallestWindow = 4;
/** For an endpoint without history. */
export const initialCapacity = 8;
/** Claimed ahead for an endpoint that keeps up, so that it never waits for a claim: what it responds to in `aheadMs`, at most. */
const maxAhead = 128;
const aheadMs = 1_000;
/** Weight of the newest response in the moving average. */
const newestWeight = 0.2;
/** Excess is released only beyond this factor, so that not every slower response releases some. */
const excessFactor = 1.5;
/** An endpoint that was idle for longer is treated like a new one. */
const idleMs = 2_000;

/**
 * What one endpoint may be sent, and what this process holds for it. The window of concurrent POSTs grows with each
 * success and halves with each failure. All deliveries held here are leased by this process.
 */
export class EndpointCapacity<Item> {
  readonly webhookId: string;
  readonly accountId: string;
  /** Of its deliveries. */
  readonly dueMark = new DueMark();
  readonly #totals: CapacityTotals;
  /** Claimed and not sent yet. */
  #waiting: Item[] = [];
  #inFlight = 0;
  /** Responses whose outcome is not recorded yet. */
  #unrecorded = 0;
  #unrecordedFailures = 0;
  /** Consecutive, as the database last reported. */
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

  /** Its last attempt failed. */
  get isSuspect(): boolean {
    return this.#isSuspect;
  }

  /** Whether it has failed since its last success, as far as this process knows. */
  get isFailing(): boolean {
    return this.#recordedFailures > 0 || this.#unrecordedFailures > 0;
  }

  get hasUnrecordedFailures(): boolean {
    return this.#unrecordedFailures > 0;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** It may have due deliveries in the table. */
  get hasBacklog(): boolean {
    return this.#hasBacklog;
  }

  /** How many responses it has ever sent. */
  get responses(): number {
    return this.#responses;
  }

  /** Of `performance.now()`. */
  get usedAtMs(): number {
    return this.#usedAtMs;
  }

  /** It must not be treated like a new endpoint. */
  get hasHistory(): boolean {
    return (
      this.#hasBacklog ||
      this.isFailing ||
      this.held > 0 ||
      this.#window < initialCapacity ||
      this.#usedAtMs > performance.now() - idleMs
    );
  }

  /** How many more of its deliveries may be claimed. */
  get free(): number {
    return Math.max(0, Math.min(this.#maxHeld - this.held, this.#totals.freeFor(this)));
  }

  /** It has failed since `sinceMs`, of `performance.now()`. */
  hasFailedSince(sinceMs: number): boolean {
    return this.#failedAtMs >= sinceMs;
  }

  noteBacklog(): void {
    this.#hasBacklog = true;
  }

  clearBacklog(): void {
    this.#hasBacklog = false;
  }

  /** Sets the consecutive failures that the database reports; a process that records nothing learns of them here. */
  noteRecordedFailures(count: number): void {
    this.#recordedFailures = count;
  }

  /** Keeps a claimed delivery until `takeNext` returns it. */
  hold(item: Item): void {
    this.#waiting.push(item);
    this.#usedAtMs = performance.now();
    this.#totals.claimed(this);
  }

  /** The next delivery that may be sent now. */
  takeNext(): Item | undefined {
    if (this.#inFlight >= this.#window || this.#inFlight + this.#unrecorded >= 2 * this.#window) return undefined;
    const item = this.#waiting.shift();
    if (item === undefined) return undefined;
    this.#inFlight++;
    this.#totals.sending();
    return item;
  }

  /** A POST has ended. `succeeded` is null when its end says nothing about the endpoint. */
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

  /** The outcome of a POST, which was this, is recorded or given up. */
  noteRecorded(succeeded: boolean | null): void {
    this.#unrecorded--;
    if (succeeded === false) this.#unrecordedFailures--;
    this.#totals.recorded();
    this.#totals.released(this, 1);
  }

  /** Returns everything that was not sent yet, which it then no longer holds. */
  releaseWaiting(): Item[] {
    return this.#release(this.#waiting.splice(0));
  }

  /** Returns the deliveries at the front that are `expired`, which it then no longer holds. */
  releaseExpired(isExpired: (item: Item) => boolean): Item[] {
    const firstValid = this.#waiting.findIndex((item) => !isExpired(item));
    return this.#release(this.#waiting.splice(0, firstValid === -1 ? this.#waiting.length : firstValid));
  }

  /** Returns what it was claimed ahead and has become too slow for, which it then no longer holds. */
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
