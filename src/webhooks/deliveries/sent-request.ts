import type { Ctx } from '../../core/ctx.ts';
import { callerId } from '../../accounts/caller.ts';
import { unsignedHeaders } from '../dispatch/webhook-signature.ts';
import type { AccountEvent } from '../events/event-position.ts';
import { envelopeOf } from '../events/event-envelope.ts';

/** An event of the caller with its `data` exactly as stored. */
export interface DeliveredEvent extends AccountEvent {
  dataText: string;
}

const select = {
  name: 'webhook_delivered_events',
  text: `
    select id, type, created_at as "createdAt", data, data::text as "dataText" from outbox_events
    where id = any ($1) and account_id = $2`,
};

/** Returns the events of deliveries of the caller's webhooks. Purged events are missing. */
export const deliveredEvents = (ctx: Ctx, eventIds: readonly string[]): Promise<DeliveredEvent[]> =>
  ctx.sql<DeliveredEvent>(select, [eventIds, callerId(ctx)]);

/** The last HTTP request of a delivery. */
export interface SentRequest {
  headers: { name: string; value: string }[];
  body: string;
}

interface Sent {
  id: string;
  attempts: readonly { startedAt: Date }[];
}

/**
 * Returns the last request of a delivery, or null if nothing was sent yet. Signatures are left out: otherwise someone
 * who can read deliveries could replay requests that the endpoint accepts.
 */
export function sentRequest({ id, attempts }: Sent, event: DeliveredEvent): SentRequest | null {
  const last = attempts.at(-1);
  if (!last) return null;
  const timestamp = Math.floor(last.startedAt.getTime() / 1_000);
  const headers = unsignedHeaders({ deliveryId: id, eventId: event.id, eventType: event.type, timestamp });
  return {
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: envelopeOf(event).toString(),
  };
}
