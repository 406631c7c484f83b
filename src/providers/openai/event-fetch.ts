import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { headerPairs } from './stream-fetch.ts';

/** What is read ahead of a slow reader, before the connection is told to wait. */
const mostHeldBytes = 65_536;
/** Providers end an answer a moment after its last event; the connection is worth that wait. */
const endGraceMs = 1_000;

/**
 * `fetch` as far as the SDK needs it for an answer that comes in events: the same connections without the two web streams,
 * the copies of request and answer and the errors around them, which for a reply under way took over 20 kB and a seventh of
 * the CPU. It follows no redirect. A connection whose answer was read up to its last event serves the next request.
 */
export const eventFetch: typeof fetch = async (input, init = {}) => {
  const { getGlobalDispatcher } = await import('undici');
  const { origin, pathname, search, href } = new URL(input instanceof Request ? input.url : input);
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const sent = new TextEncoder().encode(init.body as string);
  const answer = Promise.withResolvers<Response>();
  const body = createBody();
  let controller: Dispatcher.DispatchController | undefined;
  const abort = () => {
    const reason = signal?.reason as Error;
    answer.reject(reason);
    body.fail(reason);
    controller?.abort(reason);
  };
  const end = () => signal?.removeEventListener('abort', abort);
  signal?.addEventListener('abort', abort, { once: true });
  getGlobalDispatcher().dispatch(
    {
      origin,
      path: pathname + search,
      method: (init.method ?? 'GET').toUpperCase() as Dispatcher.HttpMethod,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'content-length': String(sent.length) },
      // any iterable of bytes, says undici; its types know Node's streams only
      body: once(sent) as unknown as Readable,
      // the adapter keeps the time
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
        body.begin(from);
        answer.resolve(responseOf(href, status, new Headers(headerPairs(headers)), body));
      },
      onResponseData: (_from, piece) => body.add(piece),
      onResponseEnd: () => {
        end();
        body.end();
      },
      onResponseError: (_from, error) => {
        end();
        answer.reject(error);
        body.fail(error);
      },
    },
  );
  return answer.promise;
};

/** Bytes that are let go once they are sent: else a request keeps its whole prompt until the reply has ended. */
function once(bytes: Uint8Array): Iterable<Uint8Array> {
  let left: Uint8Array | undefined = bytes;
  const next = (): IteratorResult<Uint8Array> => {
    const value = left;
    left = undefined;
    return value ? { value, done: false } : { value, done: true };
  };
  return { [Symbol.iterator]: () => ({ next }) };
}

/** What the SDK reads of an answer. */
const responseOf = (url: string, status: number, headers: Headers, body: Body): Response =>
  ({ url, status, ok: status < 300, headers, body, text: () => textOf(body) }) as unknown as Response;

async function textOf(body: Body): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** An answer's bytes for one reader, who gets at once all that has come since it last asked. */
interface Body extends AsyncIterableIterator<Buffer> {
  begin(from: Dispatcher.DispatchController): void;
  add(piece: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

function createBody(): Body {
  let source: Dispatcher.DispatchController | undefined;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let waiting: PromiseWithResolvers<IteratorResult<Buffer>> | undefined;
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
        setTimeout(() => outcome ?? source?.abort(new Error('no more of it is wanted')), endGraceMs).unref();
      return { value: undefined, done: true };
    },
    begin(from) {
      source = from;
    },
    add(piece) {
      if (isUnwanted) return;
      if (waiting) {
        waiting.resolve({ value: piece, done: false });
        waiting = undefined;
        return;
      }
      held.push(piece);
      heldBytes += piece.length;
      if (heldBytes > mostHeldBytes) source?.pause();
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
