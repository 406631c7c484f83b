import type { Readable } from 'node:stream';
import { connections } from './connections.ts';

/**
 * The part of `fetch` that the SDK needs, for bodies that are Node streams. The built-in `fetch` keeps every piece of an
 * upload in memory until the response arrives (50 recordings of 25 MB took 1.2 GB), and its web streams take more CPU for a
 * piece of audio than everything else that happens to it.
 */
export const streamFetch: typeof fetch = async (input, init = {}) => {
  const { request } = await import('undici');
  const url = input instanceof Request ? input.url : input;
  const { statusCode, headers, body } = await request(url, {
    dispatcher: await connections(),
    method: 'POST',
    headers: Object.fromEntries(new Headers(init.headers)),
    // undici accepts any iterable of bytes; its types only know Node's streams
    body: init.body as unknown as NodeJS.ReadableStream as never,
    signal: init.signal ?? null,
    // the adapter enforces the timeouts
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const answer = { status: statusCode, headers: headerPairs(headers) };
  if (statusCode >= 300 || /json|text\//i.test(String(headers['content-type'])))
    return new Response(await body.text(), answer);
  const response = new Response(null, answer);
  bodies.set(response, body);
  return response;
};

/** The body of a response of `streamFetch`, to be read once; null for one that failed or is text. */
export const streamOf = (response: Response): Readable | null => bodies.get(response) ?? null;

const bodies = new WeakMap<Response, Readable>();

/** The headers of a response in the form that `Headers` accepts. */
export const headerPairs = (headers: Record<string, string | string[] | undefined>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'set-cookie' ? [] : [[name, String(value)] as [string, string]],
  );
