import { ApiError, type FieldError, offline } from './api-error.ts';
import type { TypedDocumentString } from './generated/operations.ts';
import { sendOnce } from './send-once.ts';
import { accessToken, renewSession, signedInAgain } from './session.ts';
import { type ErrorBody, errorOf, toApiError } from './session-requests.ts';

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  idempotencyKey?: string | undefined;
}

export interface GraphqlError {
  message: string;
  extensions?: { code?: string; details?: FieldError[]; retryAfterSeconds?: number };
}

interface GraphqlAnswer<Result> {
  data?: Result | null;
  errors?: GraphqlError[];
}

/** Runs a query or mutation. Renews an expired access token once; if the session has ended, waits for a sign-in. */
export async function request<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  options: RequestOptions = {},
): Promise<Result> {
  const body = JSON.stringify({ query: document.toString(), variables });
  const send = async (idempotencyKey?: string): Promise<Result> => {
    const init = { method: 'POST', body, ...options, idempotencyKey: options.idempotencyKey ?? idempotencyKey };
    const response = await fetchAuthorized('/graphql', init);
    const answer = (await response.json()) as GraphqlAnswer<Result> & ErrorBody;
    if (answer.errors?.[0]) throw graphqlError(answer.errors[0], response.headers.get('x-request-id'));
    if (!answer.data) throw toApiError(answer, response);
    return answer.data;
  };
  return /^\s*mutation\b/m.test(document.toString()) ? sendOnce(body, send) : send();
}

/** `fetch` with the access token, for GraphQL and for files and audio of /v1. @throws ApiError */
export async function fetchAuthorized(
  url: string,
  {
    idempotencyKey,
    headers,
    ...init
  }: Omit<RequestInit, 'headers' | 'signal'> & RequestOptions & { headers?: Record<string, string> },
): Promise<Response> {
  const response = await sendAuthorized((authorization) =>
    fetch(url, {
      ...init,
      signal: init.signal ?? null,
      headers: {
        ...(typeof init.body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        ...headers,
        ...authorization,
      },
    }).catch((error: unknown) => {
      throw init.signal?.aborted ? error : offline();
    }),
  );
  return checked(response);
}

/** Sends a request with the header of the access token, and once more with a new one if it is rejected. */
export async function sendAuthorized(
  send: (authorization: Record<string, string>) => Promise<Response>,
): Promise<Response> {
  const response = await send(bearer(await accessToken()));
  if (response.status !== 401) return response;
  if (!(await renewSession())) await signedInAgain();
  return send(bearer(await accessToken()));
}

const bearer = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

/** Throws for error responses, except from GraphQL, whose body lists its errors. */
async function checked(response: Response): Promise<Response> {
  const isGraphql = new URL(response.url).pathname === '/graphql';
  if (response.ok || (isGraphql && response.status < 500 && response.status !== 429)) return response;
  throw await errorOf(response);
}

export function graphqlError({ message, extensions }: GraphqlError, requestId: string | null): ApiError {
  return new ApiError(extensions?.code ?? 'INTERNAL_ERROR', message, {
    details: extensions?.details,
    retryAfterSeconds: extensions?.retryAfterSeconds,
    requestId,
  });
}
