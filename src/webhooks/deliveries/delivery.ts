import type { Ctx } from '../../core/ctx.ts';
import { onCommitted } from '../../core/database/transaction.ts';
import type { FetchFault } from '../../core/http/safe-fetch.ts';
import type { EventType } from '../../core/outbox.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;

/** `skipped`: it came due while the webhook was disabled. It can be redelivered like a failed one. */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** `interrupted`: the process died during the attempt, whose end is unknown. */
export type AttemptFault = FetchFault | 'interrupted' | 'event_expired';

/** One POST of a delivery, as it is stored. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  startedAt: string;
  /** Of the HTTP response; null without one. */
  status: number | null;
  durationMs: number | null;
  error: AttemptFault | null;
  /** The first 4 KB of the response's body. */
  excerpt: string | null;
}

/** One event on its way to one webhook. */
export interface Delivery {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: EventType;
  status: DeliveryStatus;
  attempts: DeliveryAttempt[];
  createdAt: Date;
  /** When the next attempt is due; null when none is scheduled. */
  nextAttemptAt: Date | null;
}

/** The kind under which `ctx.ports.tasks` wakes the dispatcher for due deliveries. */
export const deliveriesKind = 'webhook.deliveries';

/** Wakes the dispatcher once the transaction has committed. */
export const wakeDispatcher = (ctx: Ctx): void => onCommitted(ctx, () => ctx.ports.tasks.wake(deliveriesKind));

/** Consecutive failed attempts after which a webhook is disabled. */
export const maxConsecutiveFailures = 100;
