import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Kind, startChats } from './fixture.ts';

let chats: Awaited<ReturnType<typeof startChats>>;
let ada: Account;
let agentId: string;
let count = 0;

beforeAll(async () => {
  chats = await startChats();
  ada = chats.ada;
  agentId = (await chats.app.createAgent(ada.token)).id;
});
afterAll(async () => {
  await chats.app.close();
  await chats.stop();
});

const bodyOf = (kind: Kind, more: object = {}) => ({
  agent_id: agentId,
  bot_token: `secret-bot-token-${count++}`,
  ...(kind === 'chat_server' ? { guild_id: 'G1', channel_ids: ['C1', 'C2'] } : {}),
  ...(kind === 'chat_workspace' ? { workspace_id: 'T1', channel_ids: ['C1', 'C2'] } : {}),
  ...more,
});
const call = (method: string, path: string, body?: object, as = ada.token) =>
  chats.app.call(method, `/v1/integrations${path}`, { as, ...(body ? { body } : {}) });

const testError = async (id: string) => {
  const test = 'mutation ($id: ID!) { testIntegration(id: $id) { testResult { error { code message } } } }';
  const { body } = await chats.app.graphql(test, { as: ada.token, variables: { id } });
  return body.data.testIntegration.testResult.error;
};

test('a failed test says what to do: a bot without a chat needs a message, a refused one a channel in which it may write', async () => {
  const messenger = await chats.connect('chat_messenger');
  const server = await chats.connect('chat_server');
  const errors: unknown[] = [];
  for (const [chat, status] of [
    [messenger, 403],
    [server, 403],
    [server, 404],
  ] as const) {
    const simulator = chat === messenger ? chats.telegram : chats.discord;
    simulator.fail({ when: chat === messenger ? 'sendMessage' : '/messages', status });
    errors.push(await testError(chat.id));
  }
  expect(errors).toEqual([
    { code: 'no_chat', message: expect.stringContaining('Send it a message') },
    { code: 'refused', message: expect.stringContaining('may write there') },
    { code: 'refused', message: expect.stringContaining('does not exist') },
  ]);
  expect(await testError(server.id)).toBeNull();
});

describe.each<[Kind, object]>([
  ['chat_server', { guild_id: 'G1', channel_ids: ['C1', 'C2'] }],
  ['chat_messenger', {}],
  ['chat_workspace', { workspace_id: 'T1', channel_ids: ['C1', 'C2'] }],
])('an integration with %s', (kind, places) => {
  test('can be connected, read, listed, changed and deleted', async () => {
    const { body: made } = expectStatus(await call('POST', `/${kind}`, bodyOf(kind)), 201);
    const summary = {
      id: expect.stringMatching(/^int_/),
      platform: kind,
      agent_id: agentId,
      status: 'active',
      ...places,
      message_count: 0,
      connected_at: expect.stringMatching(/Z$/),
    };
    expect(made).toEqual(summary);
    const { body: list } = expectStatus(await call('GET', ''), 200);
    expect(list.data.find(({ id }: { id: string }) => id === made.id)).toEqual({
      ...summary,
      connected_at: expect.any(String),
    });
    expect(list.total).toBe(list.data.length);
    const { body: got } = expectStatus(await call('GET', `/${made.id}`), 200);
    const full = { ...summary, auto_respond: kind === 'chat_messenger', last_message_at: null };
    expect(got).toEqual(full);
    const changes = { channel_ids: ['C3', 'C3'], auto_respond: true, bot_token: 'ignored', status: 'ignored' };
    const { body: changed } = expectStatus(await call('PUT', `/${made.id}`, changes), 200);
    expect(changed).toMatchObject({
      auto_respond: true,
      ...(kind === 'chat_messenger' ? {} : { channel_ids: ['C3'] }),
    });
    expect((await call('PUT', `/${made.id}`, { active: false })).body.status).toBe('inactive');
    expect((await call('POST', `/${made.id}/test`)).body.error.code).toBe('integration_inactive');
    expect((await call('PUT', `/${made.id}`, { active: true })).body.status).toBe('active');
    expect(expectStatus(await call('DELETE', `/${made.id}`), 200).body).toEqual({ id: made.id, deleted: true });
    expect((await call('GET', `/${made.id}`)).status).toBe(404);
  });

  test('sends a test message and measures it', async () => {
    const chat = await chats.connect(kind);
    const { body } = expectStatus(await call('POST', `/${chat.id}/test`), 200);
    expect(body).toEqual({
      id: chat.id,
      platform: kind,
      status: 'active',
      test_result: {
        success: true,
        latency_ms: expect.any(Number),
        message_id: expect.any(String),
        delivered_at: expect.stringMatching(/Z$/),
      },
    });
  });

  test('with an invalid token ends in error with one event, fails its test, and can be retried', async () => {
    const { body } = expectStatus(await call('POST', `/${kind}`, bodyOf(kind, { bot_token: `bad-${kind}` })), 201);
    const inError = await eventually(async () => {
      const { body: now } = await call('GET', `/${body.id}`);
      return now.status === 'error' && now;
    });
    expect(inError).not.toHaveProperty('error');
    const tested = expectStatus(await call('POST', `/${body.id}/test`), 200).body.test_result;
    expect(tested).toEqual({
      success: false,
      latency_ms: expect.any(Number),
      message_id: null,
      delivered_at: null,
    });
    expect(await testError(body.id)).toEqual({
      code: 'unauthorized',
      message: expect.stringMatching(
        /^The platform does not accept the bot token\. Delete the integration and connect/,
      ),
    });
    const events = await chats.events('integration.error', body.id);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ id: body.id, status: 'error', error: { code: 'unauthorized' }, sequence: 1 });
    expect(JSON.stringify(events)).not.toContain(`bad-${kind}`);
    expect((await call('PUT', `/${body.id}`, { active: true })).body.status).toBe('active');
  });

  test.each([
    [{ agent_id: undefined }, 'agent_id'],
    [{ bot_token: undefined }, 'bot_token'],
    [{ bot_token: '' }, 'bot_token'],
    [{ bot_token: 'with space' }, 'bot_token'],
    [{ bot_token: '../other/path' }, 'bot_token'],
    [{ bot_token: 5 }, 'bot_token'],
  ])('is refused for %j', async (more, field) => {
    const answer = await call('POST', `/${kind}`, bodyOf(kind, more));
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field]);
  });

  test('is unique for a token and a guild or workspace', async () => {
    const body = bodyOf(kind);
    expectStatus(await call('POST', `/${kind}`, body), 201);
    const again = await call('POST', `/${kind}`, body);
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
  });
});

describe('an account', () => {
  test('has at most 100 integrations', async () => {
    const { token, id: owner } = await chats.app.signUp();
    const { id: agent } = await chats.app.createAgent(token);
    await chats.app.db.query(
      `insert into integrations (id, owner_id, agent_id, platform, status, place, channel_ids, auto_respond, bot_token, token_hash, connected_at, created_at)
       select 'int_' || gen_random_uuid(), $1, $2, 'chat_messenger', 'inactive', '', '{}', true, '', sha256(n::text::bytea), now(), now()
       from generate_series(1, 99) n`,
      [owner, agent],
    );
    const connect = () => call('POST', '/chat_messenger', bodyOf('chat_messenger', { agent_id: agent }), token);
    const answers = await Promise.all([connect(), connect(), connect()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403]);
    expect(answers.find(({ status }) => status === 403)?.body.error.code).toBe('plan_limit_exceeded');
  });
});

test('requires guild, workspace and channels where the platform has them', async () => {
  for (const [kind, field] of [
    ['chat_server', 'guild_id'],
    ['chat_server', 'channel_ids'],
    ['chat_workspace', 'workspace_id'],
    ['chat_workspace', 'channel_ids'],
  ] as const) {
    const answer = await call('POST', `/${kind}`, bodyOf(kind, { [field]: undefined }));
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field]);
  }
});

test('hides integrations from other accounts, which cannot connect another user’s agent', async () => {
  const chat = await chats.connect('chat_server');
  const bob = await chats.app.signUp();
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/test'],
  ] as const) {
    const answer = await call(method, `/${chat.id}${path}`, method === 'PUT' ? {} : undefined, bob.token);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  }
  expect((await call('GET', '', undefined, bob.token)).body).toEqual({ data: [], total: 0 });
  expect((await call('POST', '/chat_messenger', bodyOf('chat_messenger'), bob.token)).status).toBe(404);
});

test('stores a bot token encrypted and never returns it', async () => {
  const body = bodyOf('chat_server');
  const { id } = expectStatus(await call('POST', '/chat_server', body), 201).body;
  const { rows } = await chats.app.db.query(`
    select (select string_agg(t::text, '') from integrations t) || (select string_agg(t::text, '') from outbox_events t) ||
      coalesce((select string_agg(t::text, '') from tasks t), '') as everything`);
  expect(rows[0].everything).not.toContain(body.bot_token);
  const query = `{ integration(id: "${id}") { id status error { code } } }`;
  const answer = await chats.app.graphql(query, { as: ada.token });
  expect(answer.body.data.integration).toEqual({ id, status: 'ACTIVE', error: null });
});

test('publishes events of connection and disconnection, with a sequence', async () => {
  const chat = await chats.connect('chat_server');
  await chats.update(chat.id, { active: false });
  await chats.update(chat.id, { active: true });
  await eventually(async () => (await chats.events('integration.connected', chat.id)).length === 2);
  await call('DELETE', `/${chat.id}`);
  const all = [
    ...(await chats.events('integration.connected', chat.id)),
    ...(await chats.events('integration.disconnected', chat.id)),
  ];
  expect(all.map(({ sequence, status }) => [sequence, status])).toEqual([
    [1, 'active'],
    [3, 'active'],
    [2, 'inactive'],
    [4, 'inactive'],
  ]);
  expect(all[0]).toMatchObject({ guild_id: chat.place, channel_ids: [chat.channelId], message_count: 0 });
});

test('deletes the integrations of a deleted agent, with an event for each', async () => {
  const chat = await chats.connect('chat_messenger');
  const path = `/v1/agents/${chat.agentId}`;
  expectStatus(await chats.app.call('DELETE', path, { as: ada.token }), 200);
  expect((await call('GET', `/${chat.id}`)).status).toBe(404);
  expect(await chats.events('integration.disconnected', chat.id)).toMatchObject([
    { id: chat.id, agent_id: chat.agentId, status: 'inactive', sequence: 2 },
  ]);
  expect((await chats.app.call('DELETE', path, { as: ada.token })).status).toBe(404);
  expect(await chats.events('integration.disconnected', chat.id)).toHaveLength(1);
});

test('the development surface writes as a person and lists the messages', async () => {
  const app = await startChats({ CHAT_SERVER_API_BASE: '', CHAT_MESSENGER_API_BASE: '', CHAT_WORKSPACE_API_BASE: '' });
  try {
    for (const kind of ['chat_server', 'chat_messenger', 'chat_workspace'] as const) {
      const agent = await app.app.createAgent(app.ada.token);
      const body = { ...bodyOf(kind), agent_id: agent.id };
      const { id } = expectStatus(
        await app.app.call('POST', `/v1/integrations/${kind}`, { as: app.ada.token, body }),
        201,
      ).body;
      const path = `/dev/platforms/${id}/messages`;
      const said = await app.app.call('POST', path, { body: { author: 'Grace', text: 'Hello there', mention: true } });
      expect(said.status).toBe(201);
      const list = await eventually(async () => {
        const { body: now } = await app.app.call('GET', path);
        return now.data.length === 2 && now.data;
      });
      expect(list[0]).toMatchObject({ author: 'Grace', from_bot: false, text: expect.stringContaining('Hello there') });
      expect(list[1]).toMatchObject({ from_bot: true, channel_id: list[0].channel_id, created_at: expect.any(String) });
    }
    expect((await app.app.call('GET', `/dev/platforms/int_x/messages`)).status).toBe(404);
  } finally {
    await app.app.close();
    await app.stop();
  }
});
