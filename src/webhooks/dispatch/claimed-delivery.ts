/** A delivery that this process has leased and has to send. Its attempt is already counted. */
export interface ClaimedDelivery {
  id: string;
  /** Creation time, which is the partition key. */
  createdAt: Date;
  leaseToken: string;
  webhookId: string;
  accountId: string;
  /** Revision of the webhook's row at the time of the claim. */
  revision: number;
  /**
   * Consecutive failures of the webhook at the time of the claim. At 0, the claim was not limited; otherwise it was
   * limited to the failures left until the webhook is disabled.
   */
  consecutiveFailures: number;
  /** Number of the attempt in its round, starting at 1. */
  attempt: number;
  /** Time of the claim by the database's clock. */
  attemptedAt: Date;
  /** Time of the claim from `performance.now()`. */
  claimedMs: number;
  eventId: string;
  eventType: string;
  eventCreatedAt: Date;
  /** The event's `data` exactly as stored; null if the event was purged. */
  dataText: string | null;
}

/**
 * Returns the database's current time, extrapolated from the claim. Timestamps for receivers and expiry checks must not
 * depend on the clock of a process.
 */
export const databaseTime = ({ attemptedAt, claimedMs }: ClaimedDelivery): Date =>
  new Date(attemptedAt.getTime() + performance.now() - claimedMs);
