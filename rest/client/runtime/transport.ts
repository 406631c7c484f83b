import { ConnectionError, errorOf } from './errors.ts';
import { pause, retryDelayMs, type RetryPolicy } from './retry.ts';

export interface ClientOptions {
  /** Where the service is, without `/v1`. */
  baseUrl: string;
  /** An access token or API key, or what gives one; it is asked before each try. */
  credential?: string | (() => string | Promise<string>);
  /** Further tries after a lost connection, 429 or 503; 5 by default. */
  retries?: number;
  /** How long one try may take, until its answer is complete or its stream has begun; 120,000 by default. */
  timeoutMs?: number;
  /** A longer `Retry-After` is not waited for, its error is thrown; 60,000 by default. */
  maxRetryAfterMs?: number;
  /** A stream that is silent for so long is taken up again; 45,000 by default, as the service is never for 15,000. */
  idleMs?: number;
  /** In place of the built-in `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** What can be said of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Names this call, so that it is done once however often it is made; a new one for each call by default. */
  idempotencyKey?: string;
  retries?: number;
  timeoutMs?: number;
}

/** One operation of the service, with everything filled in. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From `/v1` on. */
  path: string;
  query?: object | undefined;
  json?: object | undefined;
  form?: object | undefined;
  /** Doing it again after a lost answer does not do it twice. */
  repeatable: boolean;
}

export interface Transport extends RetryPolicy {
  idleMs: number;
  /** Makes the call, again where that is safe, and reads its answer. */
  send<Result>(call: Call, options: CallOptions, read: (answer: Response) => Promise<Result>): Promise<Result>;
  /** The same as `send`, prepared: each time it is called it makes one try. */
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
    // Once for the call, whatever becomes of its tries.
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
        // A redirect would carry the body, and maybe the credential, to who knows where.
        const init: RequestInit = { method: call.method, headers: sent, signal: limit.signal, redirect: 'error' };
        const answer = await fetch(url, body === undefined ? init : { ...init, body });
        if (!answer.ok) throw await errorOf(answer);
        return await read(answer);
      } catch (error) {
        given.signal?.throwIfAborted();
        throw limit.signal.aborted ? new ConnectionError('No answer in time.', { cause: error }) : asLost(error);
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

/** A part of a path: no value leads to another path than the one that is meant. */
export function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new TypeError(`"${value}" is not an id.`);
  return encodeURIComponent(value);
}

/** What `fetch` and the reading of a body reject with, when the network failed, is a TypeError. */
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

/** A signal that fires with the caller's, or after the time unless it is cleared before. */
function deadline(ms: number, signal: AbortSignal | undefined): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${ms} ms`)), ms);
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    clear: () => clearTimeout(timer),
  };
}
