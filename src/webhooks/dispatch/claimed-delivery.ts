/** A delivery that this process holds the lease of and has to POST. Its attempt is counted already. */
export interface ClaimedDelivery {
  id: string;
  /** The partition key. */
  createdAt: Date;
  leaseToken: string;
  webhookId: string;
  accountId: string;
  /** Of the webhook's row when it was claimed. */
  revision: number;
  /** Likewise. At 0 it was claimed freely, else as one of those that still fit before the attempt that disables. */
  consecutiveFailures: number;
  /** Of its round, from 1. */
  attempt: number;
  /** The database's time of the claim. */
  attemptedAt: Date;
  /** `performance.now()` of the claim. */
  claimedMs: number;
  eventId: string;
  eventType: string;
  eventCreatedAt: Date;
  /** The event's `data` as it was written; null when the event was purged. */
  dataText: string | null;
}

/** The database's time now, by the claim: receivers and expiries must not depend on the clock of a process. */
export const databaseTime = ({ attemptedAt, claimedMs }: ClaimedDelivery): Date =>
  new Date(attemptedAt.getTime() + performance.now() - claimedMs);
