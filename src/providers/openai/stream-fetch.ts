import type { Readable } from 'node:stream';

/**
 * `fetch` as far as the SDK needs it, for bodies that are streams: they stay Node's own. The built-in one keeps every piece
 * of an upload in memory until the answer is there (50 recordings of 25 MB took 1.2 GB, with this they take next to
 * nothing), and its web streams take more CPU for a piece of sound than all else that happens to it.
 */
export const streamFetch: typeof fetch = async (input, init = {}) => {
  const { request } = await import('undici');
  const url = input instanceof Request ? input.url : input;
  const { statusCode, headers, body } = await request(url, {
    method: 'POST',
    headers: Object.fromEntries(new Headers(init.headers)),
    // any iterable of bytes, says undici; its types know Node's streams only
    body: init.body as unknown as NodeJS.ReadableStream as never,
    signal: init.signal ?? null,
    // the adapter keeps the time
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

/** The body of an answer of `streamFetch`, to be read once; null for one that failed or is text. */
export const streamOf = (response: Response): Readable | null => bodies.get(response) ?? null;

const bodies = new WeakMap<Response, Readable>();

/** The headers of an answer as `Headers` takes them. */
export const headerPairs = (headers: Record<string, string | string[] | undefined>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'set-cookie' ? [] : [[name, String(value)] as [string, string]],
  );
