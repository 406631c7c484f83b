import type { Ctx } from '../../core/ctx.ts';
import { onCommitted } from '../../core/database/transaction.ts';
import type { FetchFault } from '../../core/http/safe-fetch.ts';
import type { EventType } from '../../core/outbox.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;

/**
 * The state of a delivery. `skipped` means that it was due while the webhook was disabled; it can be redelivered like a
 * failed one.
 */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * The reason why an attempt got no valid response. `interrupted` means that the process crashed during the attempt, so
 * its result is unknown.
 */
export type AttemptFault = FetchFault | 'interrupted' | 'event_expired';

/** One POST of a delivery, in its stored form. */
export interface DeliveryAttempt {
  /** Start of the attempt in ISO 8601. */
  startedAt: string;
  /** Status of the HTTP response; null without a response. */
  status: number | null;
  durationMs: number | null;
  error: AttemptFault | null;
  /** First 4 KB of the response body. */
  excerpt: string | null;
}

/** The delivery of one event to one webhook. */
export interface Delivery {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: EventType;
  status: DeliveryStatus;
  attempts: DeliveryAttempt[];
  createdAt: Date;
  /** Time of the next attempt; null when none is scheduled. */
  nextAttemptAt: Date | null;
}

/** Kind under which `ctx.ports.tasks` wakes the dispatcher for due deliveries. */
export const deliveriesKind = 'webhook.deliveries';

/** Wakes the dispatcher after the transaction commits. */
export const wakeDispatcher = (ctx: Ctx): void => onCommitted(ctx, () => ctx.ports.tasks.wake(deliveriesKind));

/** Number of consecutive failed attempts after which a webhook is disabled. */
export const maxConsecutiveFailures = 100;
