import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;
let bob: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
  bob = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());

const post = (as: string, body: unknown) => app.call('POST', '/v1/agents', { as, body });
const get = (as: string, path: string) => app.call('GET', `/v1/agents${path}`, { as });
const put = (as: string, id: string, body: unknown) => app.call('PUT', `/v1/agents/${id}`, { as, body });
const required = { name: 'Ada', instructions: 'Teach.' };
const publicAgent = (name: string, fields: object = {}) =>
  app.createAgent(bob.token, { name, is_public: true, ...fields });
const events = async (id: string) =>
  (
    await app.db.query(
      `select type, data from outbox_events where $1 in (data->>'id', data->>'agent_id') order by seq`,
      [id],
    )
  ).rows;

describe('a new agent', () => {
  test('is returned with all its fields and defaults', async () => {
    const answer = expectStatus(await post(ada.token, required), 201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Ada',
      description: null,
      instructions: 'Teach.',
      model: 'default',
      avatar_url: null,
      is_public: false,
      category: null,
      greeting_message: null,
      voice_id: null,
      message_count: 0,
      creator_id: ada.id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.any(String),
    });
  });

  test('has a trimmed name, whose length is counted in characters', async () => {
    const answer = expectStatus(
      await post(ada.token, { ...required, name: `  ${'👩‍🚀'.slice(0, 2).repeat(80)}  ` }),
      201,
    );
    expect([...answer.body.name]).toHaveLength(80);
  });

  test('has its instructions as they were sent', async () => {
    const answer = expectStatus(await post(ada.token, { ...required, instructions: '  Teach.\n' }), 201);
    expect(answer.body.instructions).toBe('  Teach.\n');
    const refused = expectStatus(await post(ada.token, { ...required, instructions: '   ' }), 400);
    expect(refused.body.error.message).toBe('instructions: must not be empty');
  });

  test.each([
    [{}, ['name', 'instructions']],
    [{ name: '', avatar_url: 'x' }, ['instructions', 'name', 'avatar_url']],
    [{ ...required, name: '' }, ['name']],
    [{ ...required, name: '   ' }, ['name']],
    [{ ...required, name: '\u200b' }, ['name']],
    [{ ...required, instructions: '' }, ['instructions']],
    [{ ...required, instructions: ' \n ' }, ['instructions']],
    [{ ...required, name: 'x'.repeat(81) }, ['name']],
    [{ ...required, name: 5 }, ['name']],
    [{ ...required, name: null }, ['name']],
    [{ ...required, name: 'a\u0000b' }, ['name']],
    [{ ...required, instructions: 'x'.repeat(32_001) }, ['instructions']],
    [{ ...required, description: 'x'.repeat(301) }, ['description']],
    [{ ...required, greeting_message: 'x'.repeat(2_001) }, ['greeting_message']],
    [{ ...required, model: 'gpt' }, ['model']],
    [{ ...required, category: 'robot' }, ['category']],
    [{ ...required, voice_id: 'darth' }, ['voice_id']],
    [{ ...required, is_public: 'true' }, ['is_public']],
    [{ ...required, avatar_url: 'javascript:alert(1)' }, ['avatar_url']],
    [{ ...required, avatar_url: 'https://user:pw@example.com/a.png' }, ['avatar_url']],
  ])('is refused for an invalid body (%#), naming the fields', async (body, fields) => {
    const answer = await post(ada.token, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toEqual(fields);
  });

  test('ignores fields that only the service sets', async () => {
    const body = JSON.parse(
      `{"name":"Ada","instructions":"Teach.","id":"x","creator_id":"${bob.id}","message_count":9,"created_at":"1999-01-01T00:00:00.000Z","__proto__":{"polluted":1}}`,
    ) as unknown;
    const answer = expectStatus(await post(ada.token, body), 201);
    expect(answer.body).toMatchObject({ creator_id: ada.id, message_count: 0 });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('publishes agent.created, and agent.published when it is public', async () => {
    const { id } = await app.createAgent(ada.token, { is_public: true });
    expect((await events(id)).map((event) => [event.type, event.data.sequence])).toEqual([
      ['agent.created', 1],
      ['agent.published', 2],
    ]);
  });

  test('is refused beyond exactly the limit of the plan, however many requests run at once', async () => {
    const free = await app.signUp();
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(free.token, required)));
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 9 }, () => 403)]);
    expect(answers.find((answer) => answer.status === 403)?.body.error.code).toBe('plan_limit_exceeded');
  });
});

describe('an existing agent', () => {
  test('changes only the given fields, and null clears a field', async () => {
    const { id } = await app.createAgent(ada.token, { description: 'old', category: 'tutor' });
    const answer = expectStatus(await put(ada.token, id, { description: null, name: 'New' }), 200);
    expect(answer.body).toMatchObject({
      name: 'New',
      description: null,
      category: 'tutor',
      instructions: expect.any(String),
    });
    expect((await put(ada.token, id, { name: null })).status).toBe(400);
    expectStatus(await put(ada.token, id, answer.body), 200);
  });

  test('publishes agent.published each time it becomes public', async () => {
    const { id } = await app.createAgent(ada.token);
    for (const is_public of [true, true, false, true]) expectStatus(await put(ada.token, id, { is_public }), 200);
    const list = await events(id);
    expect(list.map((event) => event.type)).toEqual([
      'agent.created',
      'agent.updated',
      'agent.published',
      'agent.updated',
      'agent.updated',
      'agent.unpublished',
      'agent.updated',
      'agent.published',
    ]);
    expect(list.map((event) => event.data.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('that is deleted concurrently starts no conversation: 404', async () => {
    const { id: agent_id } = await app.createAgent(ada.token);
    const deleter = await app.db.connect();
    await deleter.query('begin');
    await deleter.query('delete from agents where id = $1', [agent_id]);
    const opened = app.call('POST', '/v1/conversations', { as: ada.token, body: { agent_id } });
    const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => (await app.db.query(waits)).rowCount === 1, { what: 'the wait for the agent' });
    await deleter.query('commit');
    deleter.release();
    expectStatus(await opened, 404);
  });

  test('does not exist for others while it is private', async () => {
    const { id } = await app.createAgent(ada.token);
    const unknown = await get(bob.token, '/01a1fc1d-26e4-732d-bf43-047d1963eb06');
    for (const answer of [
      await get(bob.token, `/${id}`),
      await put(bob.token, id, { name: 'Mine' }),
      await app.call('DELETE', `/v1/agents/${id}`, { as: bob.token }),
      await get(bob.token, '/not-an-id'),
      await app.call('POST', '/v1/conversations', { as: bob.token, body: { agent_id: id } }),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, unknown.body]);
    }
  });

  test('shows others its public fields, never its instructions, when it is public', async () => {
    const { id } = await publicAgent('Open', { greeting_message: 'Hi!', voice_id: 'echo' });
    const answer = expectStatus(await get(ada.token, `/${id}`), 200);
    expect(answer.body).toMatchObject({ greeting_message: 'Hi!', voice_id: 'echo', creator_id: bob.id });
    expect(answer.body).not.toHaveProperty('instructions');
    expect((await put(ada.token, id, { name: 'Mine' })).status).toBe(404);
  });

  test('is deleted with its conversations, including those of other users', async () => {
    const { id } = await publicAgent('Short-lived');
    const conversation = expectStatus(
      await app.call('POST', '/v1/conversations', { as: ada.token, body: { agent_id: id } }),
      201,
    );
    const answer = expectStatus(await app.call('DELETE', `/v1/agents/${id}`, { as: bob.token }), 200);
    expect(answer.body).toEqual({ id, deleted: true });
    expect((await app.call('GET', `/v1/conversations/${conversation.body.id}`, { as: ada.token })).status).toBe(404);
    expect((await events(id)).at(-1)).toMatchObject({ type: 'agent.deleted', data: { id } });
  });
});

describe('the list of agents', () => {
  test('has the caller’s agents in the requested order, page by page', async () => {
    const cleo = await app.signUp();
    for (const name of ['beta', 'Alpha', 'gamma']) await app.createAgent(cleo.token, { name });
    const names = async (query: string) =>
      expectStatus(await get(cleo.token, query), 200).body.data.map((agent: { name: string }) => agent.name);
    expect(await names('')).toEqual(['gamma', 'Alpha', 'beta']);
    expect(await names('?sort=name')).toEqual(['Alpha', 'beta', 'gamma']);
    expect(await names('?limit=1&offset=1')).toEqual(['Alpha']);
    const page = expectStatus(await get(cleo.token, '?limit=2&offset=9'), 200).body;
    expect(page).toEqual({ data: [], total: 3, limit: 2, offset: 9 });
    const [item] = expectStatus(await get(cleo.token, '?limit=1'), 200).body.data;
    expect(Object.keys(item).sort()).toEqual(
      [
        'id',
        'name',
        'description',
        'model',
        'avatar_url',
        'is_public',
        'category',
        'message_count',
        'created_at',
        'updated_at',
      ].sort(),
    );
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=abc',
    'limit=-1',
    'limit=1.5',
    'offset=-1',
    'sort=rank',
    'limit=1&limit=2',
  ])('refuses ?%s', async (query) => {
    const answer = await get(ada.token, `?${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.details[0].field).toBe(query.split('=')[0]);
  });
});

test('an account changes its agents at most 500 times an hour', async () => {
  const env = { DATA_DIR: app.dataDir, RATE_LIMITS: '{}' };
  const strict = await startTestApp({ databaseUrl: app.databaseUrl, env });
  const owner = await app.signUp();
  const { id } = await app.createAgent(owner.token, {});
  await app.db.query(
    `insert into rate_limits (key, points, expire) values ($1, 499, (extract(epoch from now() + interval '1 hour') * 1000)::bigint)`,
    [`500/3600:agent-changes:${owner.id}`],
  );
  const change = () => strict.call('PUT', `/v1/agents/${id}`, { as: owner.token, body: { name: 'Changed' } });
  expect((await change()).status).toBe(200);
  const over = await change();
  expect([over.status, over.body.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
  await strict.close();
});
