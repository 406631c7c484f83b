import { fetchEventSource } from '@microsoft/fetch-event-source';
import { createEventSource, type EventSourceMessage } from 'eventsource-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, readEvents } from '../support/client.ts';
import { createEmbed, newVisitor } from '../support/embeds.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

const deltas = Array.from({ length: 8 }, (_, n) => `piece ${n} `);
const reply = deltas.join('');
const script = (times?: number) =>
  app.model.script({ when: /^Count$/, deltas, deltaDelayMs: 40, ...(times && { times }) });

/** What a chat's owner has stored and was charged. */
async function recordOf(conversationId: string) {
  const { rows } = await app.db.query(
    `select
       (select count(*)::int from messages where conversation_id = $1 and role = 'user') as sent,
       (select array_agg(content order by position) from messages where conversation_id = $1 and role = 'assistant'
         and position > 1) as replies,
       (select count(*)::int from generations where conversation_id = $1) as generations`,
    [conversationId],
  );
  return rows[0];
}
const once = { sent: 1, replies: [reply], generations: 1 };
const usedBy = async ({ id }: Account): Promise<number> =>
  Number(
    (await app.db.query(`select coalesce(sum(messages), 0) as n from usage_counters where user_id = $1`, [id])).rows[0]
      .n,
  );

const textOf = (events: readonly { event?: string | undefined; data: string }[]): string =>
  events
    .filter(({ event }) => event === 'delta')
    .map(({ data }) => (JSON.parse(data) as { content: string }).content)
    .join('');

/** Sends a message with eventsource-client as it is by default, except that it reconnects without delay. */
function follow(path: string, token: string, breakAfter?: number) {
  const events: EventSourceMessage[] = [];
  const statuses: number[] = [];
  const closed = Promise.withResolvers<void>();
  let leave = new AbortController();
  const source = createEventSource({
    url: app.baseUrl + path,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Count' }),
    fetch: async (url, init) => {
      leave = new AbortController();
      const signal = AbortSignal.any([leave.signal, init?.signal as AbortSignal]);
      const response = await fetch(url, { ...(init as RequestInit), signal }).catch((error: unknown) => {
        throw error;
      });
      statuses.push(response.status);
      if (response.status === 204) setImmediate(closed.resolve);
      return response;
    },
    onMessage: (event) => {
      events.push(event);
      if (events.length === breakAfter) leave.abort(new Error('the connection was lost'));
    },
  });
  return { events, statuses, source, closed: closed.promise };
}

describe('eventsource-client with its defaults', () => {
  test('sends one message, reads one reply and stops', async () => {
    script();
    const before = await usedBy(ada);
    const { id } = await app.createConversation(ada.token);
    const { events, statuses, source, closed } = follow(`/v1/conversations/${id}/messages/stream`, ada.token);
    await closed;
    expect(textOf(events)).toBe(reply);
    expect(events.filter(({ event }) => event === 'done')).toHaveLength(1);
    expect(statuses).toEqual([200, 204]);
    await eventually(() => source.readyState === 'closed');
    expect(await recordOf(id)).toEqual(once);
    expect((await usedBy(ada)) - before).toBe(1);
  });

  test('resumes a reply whose connection was lost, without gaps or repeats', async () => {
    script();
    const { id } = await app.createConversation(ada.token);
    const { events, statuses, closed } = follow(`/v1/conversations/${id}/messages/stream`, ada.token, 3);
    await closed;
    expect(textOf(events)).toBe(reply);
    expect(statuses).toEqual([200, 200, 204]);
    expect(await recordOf(id)).toEqual(once);
  });

  test('does the same as a visitor of an embed, which is charged once', async () => {
    script();
    const { id, owner } = await createEmbed(app);
    const token = await newVisitor(app, id);
    const { events, statuses, closed } = follow('/v1/embed/messages/stream', token, 3);
    await closed;
    expect(textOf(events)).toBe(reply);
    expect(statuses).toEqual([200, 200, 204]);
    const { rows } = await app.db.query(
      `select conversation_id as id from embed_visitors where embed_id = $1 and conversation_id is not null`,
      [id],
    );
    expect(await recordOf(rows[0].id)).toEqual(once);
    expect(await usedBy(owner as Account)).toBe(1);
  });

  test('stops after a reply that failed', async () => {
    const { id } = await app.createConversation(ada.token);
    const path = `/v1/conversations/${id}/messages/stream`;
    const body = { content: '[[drop:2]] Count' };
    const first = await app.send('POST', path, { as: ada.token, body });
    const events = [];
    for await (const event of readEvents(first)) events.push(event);
    const last = events.at(-1)!;
    expect([last.event, last.id]).toEqual(['error', expect.stringMatching(/^gen_.*:error$/)]);
    const again = await app.send('POST', path, { as: ada.token, body, headers: { 'last-event-id': last.id } });
    expect(again.status).toBe(204);
    // Without the id it is another attempt, as before.
    expect((await recordOf(id)).generations).toBe(1);
  });
});

describe('fetch-event-source in a tab that is hidden and shown', () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  beforeEach(() => {
    vi.stubGlobal('document', page);
    vi.stubGlobal('window', globalThis);
  });
  afterEach(() => vi.unstubAllGlobals());
  const show = (isShown: boolean): void => {
    page.hidden = !isShown;
    page.dispatchEvent(new Event('visibilitychange'));
  };

  test('shows the text once', async () => {
    script();
    const { id } = await app.createConversation(ada.token);
    const events: { event: string; data: string; id: string }[] = [];
    const read = fetchEventSource(`${app.baseUrl}/v1/conversations/${id}/messages/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Count' }),
      onmessage: (event) => {
        if (event.event !== '') events.push(event);
        if (events.length !== 3 || page.hidden) return;
        show(false);
        setTimeout(() => show(true), 50);
      },
    });
    await read;
    expect(textOf(events)).toBe(reply);
    expect(events.at(-1)?.event).toBe('done');
    expect(await recordOf(id)).toEqual(once);
  });
});

describe('Last-Event-ID of a message’s stream', () => {
  const stream = (id: string, content: string, headers: Record<string, string>) =>
    app.send('POST', `/v1/conversations/${id}/messages/stream`, { as: ada.token, body: { content }, headers });
  const lastIdOf = async (response: Response): Promise<string> => {
    let last = '';
    for await (const { id } of readEvents(response)) last = id;
    return last;
  };

  test('of another message, of another conversation, of another account, or with a new key, sends a new message', async () => {
    script();
    const { id } = await app.createConversation(ada.token);
    const { id: other } = await app.createConversation(ada.token);
    const last = await lastIdOf(await stream(id, 'Count', {}));
    const key = { 'idempotency-key': 'new', 'last-event-id': last };
    for (const [conversation, content, headers] of [
      [id, 'Something else', { 'last-event-id': last }],
      [other, 'Count', { 'last-event-id': last }],
      [id, 'Count', key],
      [id, 'Count again', { 'last-event-id': 'nonsense' }],
    ] as const) {
      const response = await stream(conversation, content, headers);
      expect([content, response.status]).toEqual([content, 200]);
      expect(await lastIdOf(response)).not.toBe(last);
    }
    expect((await recordOf(id)).sent).toBe(4);
    const stranger = await app.signUp();
    const { id: theirs } = await app.createConversation(stranger.token);
    const sent = await app.send('POST', `/v1/conversations/${theirs}/messages/stream`, {
      as: stranger.token,
      body: { content: 'Count' },
      headers: { 'last-event-id': last },
    });
    expect((await lastIdOf(sent)).startsWith(last.slice(0, 40))).toBe(false);
  });

  test('with the key of the message resumes, and a content that is not valid is refused', async () => {
    script();
    const { id } = await app.createConversation(ada.token);
    const key = { 'idempotency-key': 'mine' };
    const last = await lastIdOf(await stream(id, 'Count', key));
    expect((await stream(id, 'Count', { ...key, 'last-event-id': last })).status).toBe(204);
    const at = `${last.split(':')[0]}:8`;
    const events = [];
    for await (const event of readEvents(await stream(id, 'Count', { 'last-event-id': at }))) events.push(event);
    expect(events.map(({ event }) => event)).toEqual(['delta', 'done']);
    expect(events[0]?.data.content).toBe(reply.slice(8));
    expect((await stream(id, '\u0000', { 'last-event-id': last })).status).toBe(400);
  });

  test('of a conversation that is gone is 204, and 404 without it', async () => {
    script();
    const { id } = await app.createConversation(ada.token);
    const last = await lastIdOf(await stream(id, 'Count', {}));
    await app.call('DELETE', `/v1/conversations/${id}`, { as: ada.token });
    const path = `/v1/conversations/${id}/generations/${last.split(':')[0]}/stream`;
    const get = (headers: Record<string, string>) => app.send('GET', path, { as: ada.token, headers });
    expect((await get({})).status).toBe(404);
    expect((await get({ 'last-event-id': `${last.split(':')[0]}:4` })).status).toBe(204);
  });
});
