import { createClient, TerminatedCloseEvent } from 'graphql-ws';
import { offline } from './api-error.ts';
import type { TypedDocumentString } from './generated/operations.ts';
import { graphqlError, type GraphqlError } from './request.ts';
import { accessToken, renewSession, signedInAgain } from './session.ts';

interface SocketOptions {
  signal: AbortSignal;
  /** Called when the service has accepted the connection. */
  onOpen: () => void;
}

const unauthenticated = 4401;
const pingMs = 15_000;
const longestPongMs = 10_000;

/**
 * Yields the results of a subscription over a WebSocket.
 * @throws ApiError `OFFLINE` when the connection failed or was lost, otherwise with the service's code
 */
export async function* subscribeOverSocket<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { signal, onOpen }: SocketOptions,
): AsyncGenerator<Result, void, void> {
  const token = await accessToken();
  // It may have been left while the session was renewed.
  signal.throwIfAborted();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const client = createClient({
    url: `${location.origin.replace('http', 'ws')}/graphql`,
    connectionParams: { token },
    retryAttempts: 0,
    keepAlive: pingMs,
    on: {
      connected: onOpen,
      ping: (isReceived) => {
        if (!isReceived) silence = setTimeout(drop, longestPongMs);
      },
      pong: () => clearTimeout(silence),
    },
  });
  // Neither a lost network nor one that has forgotten the connection closes the socket by itself.
  const drop = (): void => client.terminate();
  addEventListener('offline', drop);
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
    if (!(error instanceof CloseEvent || error instanceof TerminatedCloseEvent)) throw error;
    // Renew a rejected token before the next attempt.
    if (error.code === unauthenticated && !(await renewSession())) await signedInAgain();
    throw offline();
  } finally {
    signal.removeEventListener('abort', stop);
    removeEventListener('offline', drop);
    clearTimeout(silence);
    await Promise.resolve(client.dispose()).catch(() => undefined);
  }
}
