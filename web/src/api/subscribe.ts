import { createClient, NetworkError } from 'graphql-sse';
import { ApiError, offline } from './api-error.ts';
import type { TypedDocumentString } from './generated/operations.ts';
import { graphqlError, type GraphqlError } from './request.ts';
import { accessToken, renewSession, signedInAgain } from './session.ts';
import { errorOf } from './session-requests.ts';

export interface SubscribeOptions {
  signal: AbortSignal;
  idempotencyKey?: string | undefined;
  /** Called when the service has accepted the subscription. */
  onOpen?: () => void;
}

/**
 * Yields the results of a subscription, over a connection of its own.
 * @throws ApiError `OFFLINE` when the connection was lost, otherwise with the service's code
 */
export async function* subscribe<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { signal, idempotencyKey, onOpen }: SubscribeOptions,
): AsyncGenerator<Result, void, void> {
  const token = await accessToken();
  // It may have been left while the session was renewed.
  signal.throwIfAborted();
  const client = createClient({
    url: '/graphql/stream',
    retryAttempts: 0,
    ...(onOpen ? { on: { connected: onOpen } } : {}),
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
  });
  const stop = (): void => client.dispose();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const results = client.iterate<Result>({
      query: document.toString(),
      variables: variables as Record<string, unknown>,
    });
    for await (const { data, errors } of results) {
      if (errors?.[0]) throw graphqlError(errors[0] as unknown as GraphqlError, null);
      if (data) yield data;
    }
  } catch (error) {
    throw await causeOf(error);
  } finally {
    signal.removeEventListener('abort', stop);
    client.dispose();
  }
}

/** Returns why a stream ended. Renews a rejected token before the next attempt. */
async function causeOf(error: unknown): Promise<ApiError> {
  if (error instanceof ApiError) return error;
  const response = error instanceof NetworkError ? (error.response as Response | undefined) : undefined;
  if (!response || response.ok) return offline();
  if (response.status !== 401) return errorOf(response);
  if (!(await renewSession())) await signedInAgain();
  return offline();
}
