import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { vendorConnections } from '../../core/http/outgoing.ts';
import { type ByteSink, decodedInto } from './decoded-body.ts';
import { createEventLimit } from './event-limit.ts';
import { ProviderError } from './failures.ts';
import { headerPairs } from './stream-fetch.ts';

/** Maximum number of bytes buffered for a slow reader before the connection is paused. */
const maxHeldBytes = 65_536;
/**
 * Time to wait for the end of a response after its last event, in milliseconds. Waiting keeps the connection reusable.
 */
const endGraceMs = 1_000;

/**
 * Implements the part of `fetch` that the SDK needs for an event stream, on the same connections. Avoids fetch's two
 * web streams, its copies of request and response, and its wrapped errors, which took over 20 kB and a seventh of the
 * CPU of a running reply. Does not follow redirects. Reuses a connection whose response was read up to its last event.
 */
export const eventFetch: typeof fetch = async (input, init = {}) => {
  const agent = await vendorConnections();
  const { origin, pathname, search, href } = new URL(input instanceof Request ? input.url : input);
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const sent = new TextEncoder().encode(init.body as string);
  const response = Promise.withResolvers<Response>();
  const body = createBody();
  let received: ByteSink = body;
  let controller: Dispatcher.DispatchController | undefined;
  const abort = () => {
    const reason = signal?.reason as Error;
    response.reject(reason);
    body.fail(reason);
    controller?.abort(reason);
  };
  const end = () => signal?.removeEventListener('abort', abort);
  signal?.addEventListener('abort', abort, { once: true });
  agent.dispatch(
    {
      origin,
      path: pathname + search,
      method: (init.method ?? 'GET').toUpperCase() as Dispatcher.HttpMethod,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'content-length': String(sent.length) },
      // undici accepts any iterable of bytes, but its types allow only Node's streams.
      body: once(sent) as unknown as Readable,
      // The adapter enforces the timeouts.
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    {
      onRequestStart: (started) => {
        controller = started;
        if (signal?.aborted) abort();
      },
      onResponseStart: (from, status, headers) => {
        if (status < 200) return;
        from.rawHeaders = null;
        const decoded = new Headers(headerPairs(headers));
        body.begin(from);
        received = decodedInto(body, decoded.get('content-encoding'));
        response.resolve(responseOf(href, status, decoded, body));
      },
      onResponseData: (_from, piece) => received.add(piece),
      onResponseEnd: () => {
        end();
        received.end();
      },
      onResponseError: (_from, error) => {
        end();
        response.reject(error);
        received.fail(error);
      },
    },
  );
  return response.promise;
};

/**
 * Returns an iterable that releases the bytes once they are sent. Otherwise a request would retain its whole prompt
 * until the reply has ended.
 */
function once(bytes: Uint8Array): Iterable<Uint8Array> {
  let left: Uint8Array | undefined = bytes;
  const next = (): IteratorResult<Uint8Array> => {
    const value = left;
    left = undefined;
    return value ? { value, done: false } : { value, done: true };
  };
  return { [Symbol.iterator]: () => ({ next }) };
}

/** Creates the part of a `Response` that the SDK reads. */
const responseOf = (url: string, status: number, headers: Headers, body: Body): Response =>
  ({ url, status, ok: status < 300, headers, body, text: () => textOf(body) }) as unknown as Response;

async function textOf(body: Body): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/**
 * The bytes of a response for a single reader. Each read returns all bytes that have arrived since the previous read.
 */
interface Body extends AsyncIterableIterator<Buffer>, ByteSink {
  begin(from: Dispatcher.DispatchController): void;
}

function createBody(): Body {
  let source: Dispatcher.DispatchController | undefined;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let waiting: PromiseWithResolvers<IteratorResult<Buffer>> | undefined;
  const isWithinLimit = createEventLimit();
  let isUnwanted = false;
  let outcome: 'ended' | { error: Error } | undefined;

  const body: Body = {
    [Symbol.asyncIterator]: () => body,
    async next() {
      if (held.length > 0) {
        const value = held.length === 1 && held[0] ? held[0] : Buffer.concat(held, heldBytes);
        held = [];
        heldBytes = 0;
        source?.resume();
        return { value, done: false };
      }
      if (outcome === 'ended' || isUnwanted) return { value: undefined, done: true };
      if (outcome) throw outcome.error;
      waiting = Promise.withResolvers();
      return waiting.promise;
    },
    async return() {
      isUnwanted = true;
      held = [];
      source?.resume();
      if (!outcome)
        setTimeout(
          () => outcome ?? source?.abort(new Error('the rest of the response is not needed')),
          endGraceMs,
        ).unref();
      return { value: undefined, done: true };
    },
    begin(from) {
      source = from;
    },
    add(piece) {
      if (isUnwanted || outcome) return;
      if (!isWithinLimit(piece)) {
        const tooLong = new ProviderError('event_too_long');
        held = [];
        body.fail(tooLong);
        source?.abort(tooLong);
        return;
      }
      if (waiting) {
        waiting.resolve({ value: piece, done: false });
        waiting = undefined;
        return;
      }
      held.push(piece);
      heldBytes += piece.length;
      if (heldBytes > maxHeldBytes) source?.pause();
    },
    end() {
      outcome ??= 'ended';
      waiting?.resolve({ value: undefined, done: true });
      waiting = undefined;
    },
    fail(error) {
      outcome ??= { error };
      waiting?.reject(error);
      waiting = undefined;
    },
  };
  return body;
}
