import { ConnectionError, errorOf } from './errors.ts';
import { pause, retryDelayMs, type RetryPolicy } from './retry.ts';

export interface ClientOptions {
  /** URL of the service, without `/v1`. */
  baseUrl: string;
  /** An access token or API key, or a function that returns one, which is called before each attempt. */
  credential?: string | (() => string | Promise<string>);
  /** Maximum number of retries after a lost connection, 429 or 503. Defaults to 5. */
  retries?: number;
  /** Timeout of one attempt, until its response is complete or its stream has begun. Defaults to 120,000. */
  timeoutMs?: number;
  /** Longest `Retry-After` to wait for; the error is thrown otherwise. Defaults to 60,000. */
  maxRetryAfterMs?: number;
  /** A stream that is silent for this long is resumed. Defaults to 45,000; the service sends a heartbeat every 15,000. */
  idleMs?: number;
  /** Replaces the built-in `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Idempotency key: calls with the same key run once. Defaults to a new key for each call. */
  idempotencyKey?: string;
  retries?: number;
  timeoutMs?: number;
}

/** One operation of the service with its arguments. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path, beginning with `/v1`. */
  path: string;
  query?: object | undefined;
  json?: object | undefined;
  form?: object | undefined;
  /** Whether the call can be repeated after a lost response. */
  repeatable: boolean;
}

export interface Transport extends RetryPolicy {
  idleMs: number;
  /** Makes the call, with retries where they are safe, and reads its response. */
  send<Result>(call: Call, options: CallOptions, read: (answer: Response) => Promise<Result>): Promise<Result>;
  /** Prepares a call like `send`; each invocation of the result makes one attempt. */
  prepare<Result>(call: Call, options: CallOptions, read: (answer: Response) => Promise<Result>): Try<Result>;
}

export type Try<Result> = (moreHeaders?: Record<string, string>) => Promise<Result>;

export function createTransport(options: ClientOptions): Transport {
  const { baseUrl, credential, timeoutMs = 120_000, fetch = globalThis.fetch.bind(globalThis) } = options;
  const policy = { retries: options.retries ?? 5, maxRetryAfterMs: options.maxRetryAfterMs ?? 60_000 };

  const prepare: Transport['prepare'] = (call, given, read) => {
    const url = urlOf(baseUrl, call);
    const body = bodyOf(call);
    const headers = new Headers();
    // One key for all attempts of the call.
    if (call.method !== 'GET') headers.set('idempotency-key', given.idempotencyKey ?? crypto.randomUUID());
    if (typeof body === 'string') headers.set('content-type', 'application/json');

    return async (moreHeaders = {}) => {
      given.signal?.throwIfAborted();
      const token = typeof credential === 'function' ? await credential() : credential;
      const sent = new Headers(headers);
      if (token !== undefined) sent.set('authorization', `Bearer ${token}`);
      for (const [name, value] of Object.entries(moreHeaders)) sent.set(name, value);
      const limit = deadline(given.timeoutMs ?? timeoutMs, given.signal);
      try {
        // A redirect could carry the body, and maybe the credential, to another host.
        const init: RequestInit = { method: call.method, headers: sent, signal: limit.signal, redirect: 'error' };
        const answer = await fetch(url, body === undefined ? init : { ...init, body });
        if (!answer.ok) throw await errorOf(answer);
        return await read(answer);
      } catch (error) {
        given.signal?.throwIfAborted();
        throw limit.signal.aborted ? new ConnectionError('The request timed out.', { cause: error }) : asLost(error);
      } finally {
        limit.clear();
      }
    };
  };

  return {
    ...policy,
    idleMs: options.idleMs ?? 45_000,
    prepare,
    async send(call, given, read) {
      const attempt = prepare(call, given, read);
      const bounds = { ...policy, retries: given.retries ?? policy.retries };
      for (let tries = 1; ; tries++) {
        try {
          return await attempt();
        } catch (error) {
          const delayMs = retryDelayMs(error, tries, call.repeatable, bounds);
          if (delayMs === null) throw error;
          await pause(delayMs, given.signal);
        }
      }
    },
  };
}

/** Encodes a path segment, so that no value leads to another path. */
export function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new TypeError(`"${value}" is not an id.`);
  return encodeURIComponent(value);
}

/** `fetch` and body readers reject with a TypeError when the network fails. */
const asLost = (error: unknown): unknown =>
  error instanceof TypeError || error instanceof SyntaxError
    ? new ConnectionError('The connection failed.', { cause: error })
    : error;

function urlOf(baseUrl: string, { path, query = {} }: Call): URL {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url;
}

function bodyOf({ json, form }: Call): string | FormData | undefined {
  if (form === undefined) return json === undefined ? undefined : JSON.stringify(json);
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    if (value !== undefined && value !== null) data.append(name, value instanceof Blob ? value : String(value));
  }
  return data;
}

/** A signal that fires with the caller's signal, or after the timeout unless it is cleared. */
function deadline(ms: number, signal: AbortSignal | undefined): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${ms} ms`)), ms);
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    clear: () => clearTimeout(timer),
  };
}
