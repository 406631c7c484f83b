import type Stripe from 'stripe';
import { atFirstUse } from '../../core/first-use.ts';

export interface StripeClientOptions {
  secretKey: string;
  /** Scheme, host and port of the API; null for Stripe itself. */
  apiBase: string | null;
  /** Of one try of one call. */
  timeoutMs?: number;
}

/** The version that every call asks for and that the webhook endpoint is made with, whatever the account's own is. */
export const apiVersion = '2026-10-28.endive';

const defaultTimeoutMs = 3_500;

/**
 * The SDK's client, made at the first use because the SDK takes long to load. A call is tried twice at most, under the
 * same idempotency key, so that it has ended after some seven seconds.
 */
export function stripeClient({
  secretKey,
  apiBase,
  timeoutMs = defaultTimeoutMs,
}: StripeClientOptions): () => Promise<Stripe> {
  return atFirstUse(async () => {
    const { default: Client } = await import('stripe');
    return new Client(secretKey, {
      apiVersion,
      maxNetworkRetries: 1,
      timeout: timeoutMs,
      telemetry: false,
      ...(apiBase === null ? {} : addressOf(new URL(apiBase))),
    });
  });
}

function addressOf({ protocol, hostname, port }: URL) {
  const scheme: 'http' | 'https' = protocol === 'http:' ? 'http' : 'https';
  return { protocol: scheme, host: hostname, port: port || (scheme === 'http' ? '80' : '443') };
}
