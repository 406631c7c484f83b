import type { Readable } from 'node:stream';
import { vendorConnections } from '../../core/http/outgoing.ts';

/**
 * Implements the part of `fetch` that the SDK needs, with Node streams as bodies. The built-in `fetch` keeps every
 * piece of an upload in memory until the response arrives (50 recordings of 25 MB took 1.2 GB), and its web streams
 * take most of the CPU time of a piece of audio.
 */
export const streamFetch: typeof fetch = async (input, init = {}) => {
  const { request } = await import('undici');
  const url = input instanceof Request ? input.url : input;
  const { statusCode, headers, body } = await request(url, {
    dispatcher: await vendorConnections(),
    method: 'POST',
    headers: Object.fromEntries(new Headers(init.headers)),
    // undici accepts any iterable of bytes, but its types allow only Node's streams.
    body: init.body as unknown as NodeJS.ReadableStream as never,
    signal: init.signal ?? null,
    // The adapter enforces the timeouts.
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

/** Returns the body of a response of `streamFetch`, which can be read once; null if the response failed or is text. */
export const streamOf = (response: Response): Readable | null => bodies.get(response) ?? null;

const bodies = new WeakMap<Response, Readable>();

/** Returns the headers of a response in the form that `Headers` accepts. */
export const headerPairs = (headers: Record<string, string | string[] | undefined>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'set-cookie' ? [] : [[name, String(value)] as [string, string]],
  );
