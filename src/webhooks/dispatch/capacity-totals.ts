/**
 * Limits of one process: deliveries that it holds in all, for one account, and for all endpoints that fail together. Each
 * held delivery is a connection and its memory; with responses after 100 ms the total is twice what one processor can send.
 */
export const maxTotal = 512;
export const maxPerAccount = 192;
export const maxSuspect = 128;

/** Whose deliveries are counted. */
interface Holder {
  readonly accountId: string;
  /** The last attempt at the endpoint failed. */
  readonly isSuspect: boolean;
}

/** How many deliveries this process holds: in all, by account, and for suspect endpoints. */
export class CapacityTotals {
  #held = 0;
  #suspectHeld = 0;
  #sent = 0;
  readonly #byAccount = new Map<string, number>();

  /** In flight, or with an outcome that is not recorded yet. */
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

  /** Accounts that hold anything. */
  busyAccounts(): { id: string; free: number }[] {
    return [...this.#byAccount].map(([id, held]) => ({ id, free: maxPerAccount - held }));
  }

  /** How many more deliveries all limits together allow this holder. */
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

  /** An endpoint that holds `count` deliveries became suspect, or healthy again. */
  suspicionChanged(isSuspect: boolean, count: number): void {
    this.#suspectHeld += isSuspect ? count : -count;
  }
}
