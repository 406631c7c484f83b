import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createEmbed, newVisitor } from '../support/embeds.ts';
import { eventually } from '../support/eventually.ts';
import { createRoom } from '../support/rooms.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let leaving: AbortController[] = [];
afterEach(() => {
  for (const leave of leaving) leave.abort();
  leaving = [];
});

const limit = 25;

async function open(
  method: string,
  path: string,
  as: string,
  body?: object,
): Promise<{ code: string; leave: () => void }> {
  const leave = new AbortController();
  leaving.push(leave);
  const response = await app.send(method, path, {
    as,
    ...(body && { body }),
    headers: { accept: 'text/event-stream' },
    signal: leave.signal,
  });
  const stop = () => leave.abort();
  if (response.status !== 200)
    return { code: ((await response.json()) as { error: { code: string } }).error.code, leave: stop };
  if (!path.startsWith('/graphql')) return { code: 'open', leave: stop };
  let text = '';
  const reader = response.body!.getReader();
  for (let n = 0; n < 2 && !text.includes('errors'); n++) {
    const read = await Promise.race([
      reader.read(),
      new Promise<null>((resolve) => setTimeout(() => resolve(null), 60)),
    ]);
    text += read?.value ? new TextDecoder().decode(read.value) : '';
  }
  return { code: text.includes('RATE_LIMITED') ? 'rate_limited' : 'open', leave: stop };
}

interface Kind {
  name: string;
  path: string;
  method?: string;
  body?: object;
}

/** An account with one thing of every kind that can be streamed. */
async function everything(): Promise<{ account: Account; kinds: Kind[] }> {
  const room = await createRoom(app, { people: 1 });
  const account = room.people[0]!;
  await app.db.query(`update users set plan = 'free' where id = $1`, [account.id]);
  const { id, agent_id } = await app.createConversation(account.token);
  const sent = expectStatus(
    await app.call('POST', `/v1/conversations/${id}/messages`, { as: account.token, body: { content: 'Hi' } }),
    201,
  );
  expect(sent.body.assistant_message.content).not.toBe('');
  const { rows } = await app.db.query(`select id from generations where conversation_id = $1`, [id]);
  const hook = { url: 'https://example.com/hook', events: ['agent.created'] };
  const webhook = expectStatus(await app.call('POST', '/v1/webhooks', { as: account.token, body: hook }), 201).body;
  const graphql = (name: string, query: string): Kind => ({ name, path: '/graphql/stream', body: { query } });
  return {
    account,
    kinds: [
      { name: 'room', path: `/v1/rooms/${room.id}/events`, method: 'GET' },
      { name: 'message', path: `/v1/conversations/${id}/messages/stream`, body: { content: '[[wait:5000]] Hello' } },
      { name: 'generation', path: `/v1/conversations/${id}/generations/${rows[0].id}/stream`, method: 'GET' },
      graphql('events', 'subscription { events { id } }'),
      graphql('deliveries', `subscription { webhookDeliveryUpdates(webhookId: "${webhook.id}") { id } }`),
      graphql('conversation', `subscription { conversationEvents(id: "${id}") { type } }`),
      graphql('rooms', `subscription { roomEvents(id: "${room.id}") { type } }`),
      graphql(
        'preview',
        `
          subscription {
            previewStream(agent: { name: "A", instructions: "B" }, messages: [{ role: USER, content: "Hi" }]) {
              ... on PreviewDelta {
                content
              }
            }
          }
        `,
      ),
      graphql(
        'messageStream',
        `subscription { messageStream(conversationId: "${id}", input: { content: "Hi ${agent_id}" }) { ... on MessageDelta { content } } }`,
      ),
    ],
  };
}

describe('the limit of open streams', () => {
  test('holds for all kinds together, before a stream does anything, until one is closed', async () => {
    const { account, kinds } = await everything();
    const endless = kinds.filter(({ name }) =>
      ['room', 'events', 'conversation', 'rooms', 'deliveries'].includes(name),
    );
    const opened = [];
    for (let n = 0; n < limit; n++) {
      const { path, method = 'POST', body } = endless[n % endless.length]!;
      opened.push(await open(method, path, account.token, body));
    }
    expect(opened.map(({ code }) => code)).toEqual(Array.from({ length: limit }, () => 'open'));
    for (const { name, path, method = 'POST', body } of kinds)
      expect([name, (await open(method, path, account.token, body)).code]).toEqual([name, 'rate_limited']);
    const { rows } = await app.db.query(
      `select count(*)::int as n from messages where user_id = $1 and role = 'user'`,
      [account.id],
    );
    expect(rows[0].n).toBe(1);

    opened[0]!.leave();
    await eventually(
      async () => (await open('POST', '/graphql/stream', account.token, kinds[3]!.body)).code === 'open',
    );
    const other = await app.signUp();
    expect((await open('POST', '/graphql/stream', other.token, kinds[3]!.body)).code).toBe('open');
  });

  test('counts the subscriptions of a WebSocket, also those that fail, as long as they are open', async () => {
    const { token } = await app.signUp();
    const client = createClient({
      url: `${app.baseUrl.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { token },
      retryAttempts: 0,
    });
    const codeOf = async (query: string, waitMs = 100): Promise<string> => {
      const events = client.iterate({ query });
      const next = await Promise.race([
        events.next().catch((error: unknown) => ({ value: { errors: error } })),
        new Promise<null>((resolve) => setTimeout(() => resolve(null), waitMs)),
      ]);
      return (
        (next as { value?: { errors?: { extensions: { code: string } }[] } } | null)?.value?.errors?.[0]?.extensions
          .code ?? 'open'
      );
    };
    for (let n = 0; n < limit + 5; n++)
      expect(await codeOf('subscription { conversationEvents(id: "conv_x") { type } }', 5_000)).toBe('NOT_FOUND');
    for (let n = 0; n < limit; n++) expect(await codeOf('subscription { events { id } }')).toBe('open');
    expect(await codeOf('subscription { events { id } }')).toBe('RATE_LIMITED');
    expect((await open('POST', '/graphql/stream', token, { query: 'subscription { events { id } }' })).code).toBe(
      'rate_limited',
    );
    await client.dispose();
    await eventually(
      async () =>
        (await open('POST', '/graphql/stream', token, { query: 'subscription { events { id } }' })).code === 'open',
    );
  });

  test('is five for a visitor, who does not use up those of the owner', async () => {
    const { id, owner } = await createEmbed(app);
    const token = await newVisitor(app, id);
    const content = '[[wait:5000]] Hello';
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => open('POST', '/v1/embed/messages/stream', token, { content })),
    );
    expect(codes.map(({ code }) => code).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'open'),
      ...Array.from({ length: 3 }, () => 'rate_limited'),
    ]);
    const query = 'subscription { events { id } }';
    for (let n = 0; n < limit; n++)
      expect((await open('POST', '/graphql/stream', owner.token, { query })).code).toBe('open');
  });
});
