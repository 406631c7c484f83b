import type { FetchResult, SafeFetch } from '../../core/http/safe-fetch.ts';
import { type ClaimedDelivery, databaseTime } from './claimed-delivery.ts';
import type { Endpoint } from './endpoints.ts';
import type { DeliveryOutcome } from './record-outcomes.ts';
import { envelopeOf } from '../events/event-envelope.ts';
import { deliveryRetryDelayMs } from './retry-schedule.ts';
import { signedHeaders } from './webhook-signature.ts';

/** Timeout of the whole exchange, from connecting to the end of the response. */
export const exchangeTimeoutMs = 5_000;
const goneStatus = 410;

interface SendOptions {
  fetch: SafeFetch;
  retryDelaysSeconds: readonly number[];
}

type SendableDelivery = ClaimedDelivery & { dataText: string };

/** Returns whether the delivery can be sent, which is false if its event was purged. */
export const isSendable = (delivery: ClaimedDelivery): delivery is SendableDelivery => delivery.dataText !== null;

/** Sends a claimed delivery as one signed POST and returns its outcome. Never throws. */
export async function sendDelivery(
  delivery: SendableDelivery,
  endpoint: Endpoint,
  { fetch, retryDelaysSeconds }: SendOptions,
): Promise<DeliveryOutcome> {
  const startedAt = databaseTime(delivery);
  const { id, eventId, eventType, eventCreatedAt, dataText } = delivery;
  const body = envelopeOf({ id: eventId, type: eventType, createdAt: eventCreatedAt, dataText });
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  const headers = signedHeaders(endpoint.signerAt(startedAt), { deliveryId: id, eventId, eventType, timestamp, body });
  const result = await fetch.post({ url: endpoint.url, headers, body, timeoutMs: exchangeTimeoutMs });
  return outcomeOf(delivery, startedAt, result, retryDelaysSeconds);
}

function outcomeOf(
  delivery: ClaimedDelivery,
  startedAt: Date,
  { status, fault, excerpt, retryAfter, durationMs }: FetchResult,
  delaysSeconds: readonly number[],
): DeliveryOutcome {
  const succeeded = fault === null && status !== null && status >= 200 && status <= 299;
  const gone = status === goneStatus;
  const { attempt } = delivery;
  const now = databaseTime(delivery);
  const retryMs = succeeded || gone ? null : deliveryRetryDelayMs({ attempt, delaysSeconds, retryAfter, now });
  return {
    delivery,
    status: statusAfter(succeeded, retryMs),
    retryMs,
    attempt: {
      startedAt: startedAt.toISOString(),
      status,
      durationMs,
      error: fault,
      excerpt: excerpt === '' ? null : excerpt,
    },
    succeeded,
    gone,
  };
}

function statusAfter(succeeded: boolean, retryMs: number | null): DeliveryOutcome['status'] {
  if (succeeded) return 'delivered';
  return retryMs === null ? 'failed' : 'pending';
}

/** Returns the outcome of a delivery whose event was purged before it could be sent. */
export const expiredOutcome = (delivery: ClaimedDelivery): DeliveryOutcome => ({
  delivery,
  status: 'failed',
  retryMs: null,
  attempt: {
    startedAt: delivery.attemptedAt.toISOString(),
    status: null,
    durationMs: null,
    error: 'event_expired',
    excerpt: null,
  },
  succeeded: null,
  gone: false,
});
