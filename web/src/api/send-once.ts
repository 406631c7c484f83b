import { asApiError, isTransient } from './api-error.ts';
import { newIdempotencyKey } from './idempotency-key.ts';

/** Idempotency keys of mutations without a response, by mutation and digest: the variables may contain a secret. */
const unanswered = new Map<string, string>();

/**
 * Runs a mutation under an idempotency key that is reused until a response arrives: a retry creates nothing twice. Once
 * the mutation has succeeded with other variables, the same body is no retry.
 */
export async function sendOnce<Result>(body: string, send: (key: string) => Promise<Result>): Promise<Result> {
  const mutation = body.slice(0, body.indexOf('"variables"'));
  // Without unanswered mutations nothing waits for a digest, and mutations are sent in their order.
  const known = unanswered.size > 0 ? take(mutation + (await digestOf(body))) : undefined;
  const key = known ?? newIdempotencyKey();
  try {
    const result = await send(key);
    if (!known) for (const other of unanswered.keys()) if (other.startsWith(mutation)) unanswered.delete(other);
    return result;
  } catch (error) {
    if (isTransient(asApiError(error))) unanswered.set(mutation + (await digestOf(body)), key);
    throw error;
  }
}

function take(name: string): string | undefined {
  const key = unanswered.get(name);
  unanswered.delete(name);
  return key;
}

/** Returns the SHA-256 of a text; on plain HTTP, which has none and sends every secret unencrypted, the text itself. */
async function digestOf(text: string): Promise<string> {
  if (!('subtle' in crypto)) return text;
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).join();
}
