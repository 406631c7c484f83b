import type { StreamRequest } from '../lab/streams.ts';

/** Marks a delta of the provider in the stream of every candidate. */
export const mark = '" word"';

export const getJson = async <T>(url: string, headers: Record<string, string> = {}): Promise<T> =>
  json(await fetch(url, { headers }));

export const postJson = async <T>(url: string, body: unknown): Promise<T> =>
  json(
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  );

async function json<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  return (await response.json()) as T;
}

/** What a client received of a stream, whatever its status. */
export interface Received {
  status: number;
  text: string;
}

/** Sends a message and reads its stream to the end, or until the connection breaks. */
export const send = (request: StreamRequest): Promise<Received> => receive(request, Infinity);

/** Sends a message and reads its stream until it has a given number of deltas; calls `atMark` and then drops the connection. */
export async function receive(
  { url, headers, body }: StreamRequest,
  deltas: number,
  atMark: () => void = () => undefined,
): Promise<Received> {
  const abort = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: abort.signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (countDeltas(text) < deltas) continue;
      atMark();
      abort.abort();
      break;
    }
  } catch {
    // The service was killed.
  }
  return { status: response.status, text };
}

export const countDeltas = (text: string): number => text.split(mark).length - 1;
