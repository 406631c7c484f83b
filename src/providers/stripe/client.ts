import type Stripe from 'stripe';
import { lazy } from '../../core/lazy.ts';

export interface StripeClientOptions {
  secretKey: string;
  /** Scheme, host and port of the API; null for Stripe itself. */
  apiBase: string | null;
  /** Timeout of one attempt. */
  timeoutMs?: number;
}

/** API version of every call and of the webhook endpoint. Overrides the account's default. */
export const apiVersion = '2026-10-28.endive';

const defaultTimeoutMs = 3_500;

/**
 * Returns the SDK's client, created on first use because the SDK is slow to load. A call has at most two attempts, with
 * the same idempotency key, and ends within about seven seconds.
 */
export function stripeClient({
  secretKey,
  apiBase,
  timeoutMs = defaultTimeoutMs,
}: StripeClientOptions): () => Promise<Stripe> {
  return lazy(async () => {
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
