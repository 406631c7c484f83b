import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalog } from '../../src/app/features.ts';
import { toWire } from '../../src/core/wire.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { readEvents } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhookOwner } from '../support/webhook-account.ts';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let app: TestApp;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  app = await startTestApp({ env: { LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent' } });
});

afterAll(async () => {
  await app?.close();
  await receiver?.close();
});

const arrived = (path: string) => receiver.received.filter((one) => one.path === path);

describe('a webhook', () => {
  test('returns its secret only at creation', async () => {
    const owner = await createWebhookOwner(app);
    const as = owner.token;
    const made = await owner.createWebhook(receiver.url);
    expect(Object.keys(made).sort()).toEqual(['active', 'created_at', 'events', 'id', 'secret', 'url']);
    expect(made).toMatchObject({ url: receiver.url, events: ['agent.created'], active: true });
    expect(made.id).toMatch(/^wh_[0-9a-f-]{36}$/);
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

    const { secret: _, ...shown } = made;
    expect((await app.call('GET', '/v1/webhooks', { as })).body).toEqual({ data: [shown], total: 1 });
    expect(await owner.webhook(made.id)).toEqual(shown);
    expect(await owner.update(made.id, { events: ['agent.deleted'] })).toEqual({ ...shown, events: ['agent.deleted'] });
    const graphql = await app.graphql('{ webhooks { data { id secret } } }', { as });
    expect(graphql.body.data.webhooks.data).toEqual([{ id: made.id, secret: null }]);
    expect(await app.call('DELETE', `/v1/webhooks/${made.id}`, { as })).toMatchObject({
      status: 200,
      body: { id: made.id, deleted: true },
    });
    expect((await app.call('GET', '/v1/webhooks', { as })).body).toEqual({ data: [], total: 0 });
  });

  test('stores its secret encrypted', async () => {
    const owner = await createWebhookOwner(app);
    const made = await owner.createWebhook(receiver.url, { secret: 'my-own-very-secret-string' });
    expect(made.secret).toBe('my-own-very-secret-string');
    const { rows } = await app.db.query('select * from webhooks where id = $1', [made.id]);
    expect(JSON.stringify(rows)).not.toContain('secret-string');
  });

  const urls = [
    'http://example.com/hook',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'https://user:pw@example.com/',
    'https://',
    'https://example.com:22/',
    'https://example.com:5432/',
    'https://example.com/\r\nX-Evil: 1',
    `https://example.com/${'x'.repeat(2_048)}`,
    'https://example.com/\ud800',
    'example.com',
    '',
    42,
    null,
  ];
  test.each(urls)('rejects the url %j at creation and at an update', async (url) => {
    const owner = await createWebhookOwner(app);
    const made = await owner.post('/v1/webhooks', { url, events: ['agent.created'] });
    if (typeof url === 'string') expect(made.body.error.message).not.toContain('http or https');
    expect(made).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', details: [{ field: 'url' }] } },
    });
    const { id } = await owner.createWebhook(receiver.url);
    expect((await app.call('PUT', `/v1/webhooks/${id}`, { as: owner.token, body: { url } })).status).toBe(400);
  });

  test.each([
    [{ events: [] }, 'events'],
    [{ events: ['agent.created', 'agent.exploded'] }, 'events[1]'],
    [{ events: 'agent.created' }, 'events'],
    [{ events: undefined }, 'events'],
    [{ secret: 'short' }, 'secret'],
    [{ secret: 'x'.repeat(257) }, 'secret'],
    [{ secret: 'with a space in it' }, 'secret'],
    [{ secret: 'line\r\nbreak-in-it' }, 'secret'],
    [{ secret: '' }, 'secret'],
  ])('rejects %j', async (fields, field) => {
    const owner = await createWebhookOwner(app);
    const { status, body } = await owner.post('/v1/webhooks', {
      url: receiver.url,
      events: ['agent.created'],
      ...fields,
    });
    expect([status, body.error?.details?.[0]?.field]).toEqual([400, field]);
  });

  test('reports an empty list in plain words', async () => {
    const owner = await createWebhookOwner(app);
    const { body } = await owner.post('/v1/webhooks', { url: receiver.url, events: [] });
    expect(body.error).toEqual({
      code: 'invalid_request',
      message: 'events: must not be empty',
      details: [{ field: 'events', code: 'too_small', message: 'must not be empty' }],
    });
  });

  test('rejects the 101st of an account', async () => {
    const owner = await createWebhookOwner(app);
    await app.db.query(
      `insert into webhooks (id, user_id, url, events, secret, created_at, updated_at)
       select 'wh_' || n, $1, 'https://example.com', '{agent.created}', '', now(), now() from generate_series(1, 99) n`,
      [owner.id],
    );
    await owner.createWebhook(receiver.url);
    const refused = await owner.post('/v1/webhooks', { url: receiver.url, events: ['agent.created'] });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  });

  test('requires the scopes for webhooks', async () => {
    const owner = await createWebhookOwner(app);
    const key = await owner.post('/v1/auth/api-keys', { name: 'reader', scopes: ['webhooks:read'] });
    expect((await app.call('GET', '/v1/webhooks', { as: key.body.key })).status).toBe(200);
    const refused = await app.call('POST', '/v1/webhooks', { as: key.body.key, body: {} });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } });
  });
});

test('an event is sent when it is committed, not at the next poll', async () => {
  const owner = await createWebhookOwner(app);
  await owner.createWebhook(`${receiver.url}/warm`);
  await app.createAgent(owner.token);
  await eventually(() => arrived('/warm').length === 1);
  const tookMs: number[] = [];
  for (let n = 1; n <= 2; n++) {
    const agent = await app.createAgent(owner.token);
    const committedAt = Date.now();
    const got = await eventually(() => arrived('/warm')[n]);
    tookMs.push(got.at - committedAt);
    expect(got.event).toMatchObject({ type: 'agent.created', data: { id: agent.id, sequence: 1 } });
  }
  expect(Math.min(...tookMs)).toBeLessThan(500);
});

test('an endpoint that hangs delays no other, not even on the same host or of the same account', async () => {
  const [owner, other] = [await createWebhookOwner(app), await createWebhookOwner(app)];
  for (let n = 0; n < 5; n++) await owner.createWebhook(`${receiver.url}/hang/${n}`);
  await owner.createWebhook(`${receiver.url}/own`);
  await other.createWebhook(`${receiver.url}/others`);
  receiver.behave((response, received, socket) => {
    if (!received.path.startsWith('/hang')) answer(200)(response, received, socket);
  });
  await owner.cause(300);
  await eventually(() => arrived('/own').length === 300);
  const startedAt = Date.now();
  await other.cause(20);
  await eventually(() => arrived('/others').length === 20);
  // Well before the first hanging attempt times out.
  expect(Date.now() - startedAt).toBeLessThan(4_000);
  const hanging = receiver.received.filter(({ path }) => path.startsWith('/hang'));
  // Once an attempt times out, the next one starts.
  const attempts = hanging.filter(({ at }) => at < hanging[0]!.at + 4_000);
  expect(attempts.length).toBeLessThanOrEqual(5 * 8);
  receiver.behave(answer(200));
});

describe('the event catalog', () => {
  test('is documented with an example of each type', async () => {
    const { status, headers, body } = await app.call('GET', '/docs/events', { headers: { accept: 'text/markdown' } });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    for (const type of catalog.eventTypes) expect(body).toContain(`"type": "${type}"`);
  });

  test('has examples with the fields that are really sent', async () => {
    const owner = await createWebhookOwner(app);
    await owner.createWebhook(`${receiver.url}/all`, { events: [...catalog.eventTypes] });
    const as = owner.token;
    const conversation = await app.createConversation(as, { is_public: true });
    await app.call('POST', `/v1/conversations/${conversation.id}/messages`, { as, body: { content: 'Hello' } });
    await app.call('PUT', `/v1/agents/${conversation.agent_id}`, { as, body: { name: 'B' } });
    await app.call('DELETE', `/v1/conversations/${conversation.id}`, { as });
    await app.call('DELETE', `/v1/agents/${conversation.agent_id}`, { as });
    const caused = [
      'agent.created',
      'agent.published',
      'conversation.created',
      'message.created',
      'agent.updated',
    ] as const;
    const types = [...caused, 'conversation.deleted', 'agent.deleted'] as const;
    const sent = await eventually(() => {
      const byType = new Map(arrived('/all').map(({ event }) => [event.type, event]));
      return types.every((type) => byType.has(type)) ? byType : null;
    });
    for (const type of types) {
      const example = toWire(catalog.events[type].example) as object;
      expect([type, Object.keys(sent.get(type).data).sort()]).toEqual([type, Object.keys(example).sort()]);
    }
  });
});

describe('the subscription to events', () => {
  const query =
    'subscription ($after: ID) { events(types: [AGENT_CREATED, AGENT_DELETED], after: $after) { id type data } }';

  async function subscribe(as: string, after: string | null = null) {
    const controller = new AbortController();
    const response = await app.subscribe({ query, variables: { after } }, { as, signal: controller.signal });
    const events = readEvents(response);
    return {
      next: async () => (await events.next()).value?.data.data.events,
      refusal: async () => (await events.next()).value?.data.errors?.[0].extensions.code,
      end: () => controller.abort(),
    };
  }

  test('yields the events that webhooks receive, only the caller’s own, and resumes after a given one', async () => {
    const [owner, stranger] = [await createWebhookOwner(app), await createWebhookOwner(app)];
    await owner.createWebhook(`${receiver.url}/same`);
    await app.createAgent(owner.token, { name: 'before' });
    const live = await subscribe(owner.token);
    await app.createAgent(stranger.token);
    const agent = await app.createAgent(owner.token, { name: 'while it runs' });
    const event = await live.next();
    expect(event).toMatchObject({
      type: 'AGENT_CREATED',
      data: { id: agent.id, name: 'while it runs', creator_id: owner.id },
    });
    const sent = await eventually(() => arrived('/same').find((one) => one.event.id === event.id));
    expect(sent.event.data).toEqual(event.data);
    live.end();

    await app.call('DELETE', `/v1/agents/${agent.id}`, { as: owner.token });
    const resumed = await subscribe(owner.token, event.id);
    // Earlier events may be repeated while an older transaction is open.
    let next = await resumed.next();
    while (next.type === 'AGENT_CREATED') next = await resumed.next();
    expect(next).toMatchObject({ type: 'AGENT_DELETED', data: { id: agent.id } });
    resumed.end();
  });

  test('rejects the 26th of an account, until a reader leaves', async () => {
    const owner = await createWebhookOwner(app);
    const open = await Promise.all(Array.from({ length: 25 }, () => subscribe(owner.token)));
    await eventually(async () => {
      const one = await subscribe(owner.token);
      const code = await Promise.race([one.refusal(), sleep(50)]);
      one.end();
      return code === 'RATE_LIMITED';
    });
    for (const one of open) one.end();
    const agent = await app.createAgent(owner.token);
    const { rows } = await app.db.query(`select min(id) as id from outbox_events where account_id = $1`, [owner.id]);
    await app.call('DELETE', `/v1/agents/${agent.id}`, { as: owner.token });
    await eventually(async () => {
      const one = await subscribe(owner.token, rows[0].id);
      const event = await one.next().catch(() => null);
      one.end();
      return event?.type === 'AGENT_DELETED';
    });
  });

  test('ends when its credential is revoked', async () => {
    const owner = await createWebhookOwner(app);
    const key = await owner.post('/v1/auth/api-keys', { name: 'listener', scopes: ['webhooks:read'] });
    const live = await subscribe(key.body.key);
    expect((await app.call('DELETE', `/v1/auth/api-keys/${key.body.id}`, { as: owner.token })).status).toBe(200);
    expect(await live.refusal()).toBe('UNAUTHENTICATED');
    live.end();
  });
});
