import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents, type SseEvent } from '../../support/client.ts';

interface Sent {
  as: string;
  /** Conversation id. */
  id: string;
  content: string;
}

/** Sends a message on a separate connection and returns the response once its headers have arrived. */
export function openStream(baseUrl: string, { as, id, content }: Sent): Promise<IncomingMessage> {
  const body = JSON.stringify({ content });
  const headers = {
    authorization: `Bearer ${as}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const path = `${baseUrl}/v1/conversations/${id}/messages/stream`;
    const sent = request(path, { method: 'POST', agent: false, headers }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

export const eventsOf = (answer: IncomingMessage): AsyncGenerator<SseEvent, void, void> =>
  readEvents(new Response(Readable.toWeb(answer) as ReadableStream));

/** Returns all events of a reply. Retries while the service is too busy. */
export async function readStream(baseUrl: string, sent: Sent): Promise<SseEvent[]> {
  const answer = await openStream(baseUrl, sent);
  if (answer.statusCode === 503) {
    answer.resume();
    await sleep(200);
    return readStream(baseUrl, sent);
  }
  const events: SseEvent[] = [];
  for await (const event of eventsOf(answer)) events.push(event);
  return events;
}

export const textOf = (events: readonly SseEvent[]): string =>
  events.map(({ event, data }) => (event === 'delta' ? (data.content as string) : '')).join('');
