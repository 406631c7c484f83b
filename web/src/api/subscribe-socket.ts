import { createClient } from 'graphql-ws';
import { offline } from './api-error.ts';
import type { TypedDocumentString } from './generated/operations.ts';
import { graphqlError, type GraphqlError } from './request.ts';
import { accessToken, renewSession, signedInAgain } from './session.ts';

interface SocketOptions {
  signal: AbortSignal;
  /** The service accepted the connection. */
  onOpen: () => void;
}

const unauthenticated = 4401;

/**
 * The results of a subscription over a WebSocket. Throws ApiError: `OFFLINE` when there was no connection or it was lost, the
 * service's code when it refused.
 */
export async function* subscribeOverSocket<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { signal, onOpen }: SocketOptions,
): AsyncGenerator<Result, void, void> {
  const token = await accessToken();
  const client = createClient({
    url: `${location.origin.replace('http', 'ws')}/graphql`,
    connectionParams: { token },
    retryAttempts: 0,
    on: { connected: onOpen },
  });
  const results = client.iterate<Result>({
    query: document.toString(),
    variables: variables as Record<string, unknown>,
  });
  const stop = (): void => void results.return?.();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const { data, errors } of results) {
      if (errors?.[0]) throw graphqlError(errors[0] as unknown as GraphqlError, null);
      if (data) yield data;
    }
  } catch (error) {
    if (!(error instanceof CloseEvent)) throw error;
    // A token that was refused is renewed, so that the next try has a good one.
    if (error.code === unauthenticated && !(await renewSession())) await signedInAgain();
    throw offline();
  } finally {
    signal.removeEventListener('abort', stop);
    await Promise.resolve(client.dispose()).catch(() => undefined);
  }
}
