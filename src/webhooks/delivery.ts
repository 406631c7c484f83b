import type { FetchFault } from '../core/safe-fetch.ts';
import type { WebhookEventType } from './event-catalog.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;

/** `skipped`: it came due while the webhook was disabled. It can be sent again like a failed one. */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** `interrupted`: the process died with the attempt, so that nobody knows how it ended. */
export type AttemptFault = FetchFault | 'interrupted' | 'event_expired';

/** One POST of a delivery, as it is stored. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  startedAt: string;
  /** Of the HTTP answer; null when none came. */
  status: number | null;
  durationMs: number | null;
  error: AttemptFault | null;
  /** The first 4 KB of the answer's body. */
  excerpt: string | null;
}

/** One event on its way to one webhook. */
export interface Delivery {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: WebhookEventType;
  status: DeliveryStatus;
  attempts: DeliveryAttempt[];
  createdAt: Date;
  /** When the next attempt is due; null when there is none to come. */
  nextAttemptAt: Date | null;
}

/** The kinds under which the dispatcher is woken through `ctx.ports.tasks`. */
export const deliveriesKind = 'webhook.deliveries';

/** After so many failures in a row, counted per attempt, a webhook is disabled. */
export const maxConsecutiveFailures = 100;
