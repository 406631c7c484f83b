import type { FetchResult, SafeFetch } from '../core/safe-fetch.ts';
import type { ClaimedDelivery } from './dispatch-claims.ts';
import type { Endpoint } from './dispatch-endpoints.ts';
import type { Outcome } from './dispatch-outcomes.ts';
import { envelopeOf } from './event-envelope.ts';
import { nextAttemptAt } from './retry-schedule.ts';
import { signedHeaders } from './webhook-signature.ts';

/** For the whole exchange. */
const exchangeTimeoutMs = 5_000;
const goneStatus = 410;

interface DeliverOptions {
  fetch: SafeFetch;
  now: () => Date;
  retryDelaysSeconds: readonly number[];
}

/** One signed POST of a claimed delivery, and what follows from its answer. Never throws. */
export async function deliver(
  delivery: ClaimedDelivery,
  endpoint: Endpoint,
  { fetch, now, retryDelaysSeconds }: DeliverOptions,
): Promise<Outcome> {
  const startedAt = now();
  const { id, eventId, eventType, eventCreatedAt, dataText } = delivery;
  const body = envelopeOf({ id: eventId, type: eventType, createdAt: eventCreatedAt, dataText });
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  const headers = signedHeaders(endpoint.signerAt(startedAt), { deliveryId: id, eventId, eventType, timestamp, body });
  const result = await fetch.post({ url: endpoint.url, headers, body, timeoutMs: exchangeTimeoutMs });
  return outcomeOf(delivery, startedAt, result, now(), retryDelaysSeconds);
}

function outcomeOf(
  delivery: ClaimedDelivery,
  startedAt: Date,
  { status, fault, excerpt, retryAfter, durationMs }: FetchResult,
  finishedAt: Date,
  delaysSeconds: readonly number[],
): Outcome {
  const succeeded = fault === null && status !== null && status >= 200 && status <= 299;
  const gone = status === goneStatus;
  const dueAt =
    succeeded || gone ? null : nextAttemptAt({ attempt: delivery.attempt, delaysSeconds, finishedAt, retryAfter });
  return {
    delivery,
    status: succeeded ? 'delivered' : dueAt ? 'pending' : 'failed',
    dueAt,
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

/** The event was purged before it could be delivered. */
export const expired = (delivery: ClaimedDelivery): Outcome => ({
  delivery,
  status: 'failed',
  dueAt: null,
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
