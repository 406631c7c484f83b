/**
 * Limits of held deliveries per process: in total, per account, and for all suspect endpoints together. Each held
 * delivery uses a connection and memory. At a response time of 100 ms, the total is twice what one processor can send.
 */
export const maxTotal = 512;
export const maxPerAccount = 192;
export const maxSuspect = 128;

/** The endpoint for which deliveries are counted. */
interface Holder {
  readonly accountId: string;
  /** Whether the last attempt at the endpoint failed. */
  readonly isSuspect: boolean;
}

/** The number of deliveries that this process holds: in total, per account, and for suspect endpoints. */
export class CapacityTotals {
  #held = 0;
  #suspectHeld = 0;
  #sent = 0;
  readonly #byAccount = new Map<string, number>();

  /** Number of deliveries that are in flight or whose outcome is not recorded yet. */
  get sent(): number {
    return this.#sent;
  }

  get free(): number {
    return maxTotal - this.#held;
  }

  get suspectFree(): number {
    return maxSuspect - this.#suspectHeld;
  }

  accountFree(accountId: string): number {
    return maxPerAccount - (this.#byAccount.get(accountId) ?? 0);
  }

  /** Returns the accounts with held deliveries and their free capacity. */
  busyAccounts(): { id: string; free: number }[] {
    return [...this.#byAccount].map(([id, held]) => ({ id, free: maxPerAccount - held }));
  }

  /** Returns the number of further deliveries that all limits together allow for an endpoint. */
  freeFor({ accountId, isSuspect }: Holder): number {
    return Math.min(this.free, this.accountFree(accountId), isSuspect ? this.suspectFree : Infinity);
  }

  claimed({ accountId, isSuspect }: Holder): void {
    this.#held++;
    if (isSuspect) this.#suspectHeld++;
    this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1);
  }

  released({ accountId, isSuspect }: Holder, count: number): void {
    this.#held -= count;
    if (isSuspect) this.#suspectHeld -= count;
    const left = (this.#byAccount.get(accountId) ?? 0) - count;
    if (left > 0) this.#byAccount.set(accountId, left);
    else this.#byAccount.delete(accountId);
  }

  sending(): void {
    this.#sent++;
  }

  recorded(): void {
    this.#sent--;
  }

  /** Notes that an endpoint with `count` held deliveries became suspect or recovered. */
  suspicionChanged(isSuspect: boolean, count: number): void {
    this.#suspectHeld += isSuspect ? count : -count;
  }
}
