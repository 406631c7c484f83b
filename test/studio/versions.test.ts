import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';

let app: TestApp;
let ada: Account;
let bob: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
  bob = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: unknown, as = ada.token) => app.call(method, path, { as, body });
const versionsOf = (agentId: string) => `/v1/studio/agents/${agentId}/versions`;
const list = async (agentId: string, query = '') =>
  expectStatus(await call('GET', `${versionsOf(agentId)}${query}`), 200).body;
const edit = async (agentId: string, body: object) =>
  expectStatus(await call('PUT', `/v1/agents/${agentId}`, body), 200).body;
const draft = async (agentId: string, body: object) =>
  expectStatus(await call('POST', versionsOf(agentId), body), 201).body;
const publish = (agentId: string, versionId: string, as = ada.token) =>
  call('POST', `${versionsOf(agentId)}/${versionId}/publish`, undefined, as);
const events = async (agentId: string) =>
  (
    await app.db.query(
      `select type, data from outbox_events where data->>'id' = $1 or data->>'agent_id' = $1 order by seq`,
      [agentId],
    )
  ).rows.filter(({ type }: { type: string }) => type.startsWith('agent.'));

/** The system prompt of the newest request to the model. */
const systemPrompt = (): string => JSON.stringify(app.model.requests.at(-1)?.body);

const talk = async (as: string, body: object): Promise<string> => {
  const conversation = expectStatus(await call('POST', '/v1/conversations', body, as), 201).body;
  expectStatus(await call('POST', `/v1/conversations/${conversation.id}/messages`, { content: 'Hi.' }, as), 201);
  return conversation.id;
};

describe('the versions of an agent', () => {
  test('begin with the one that it was created with', async () => {
    const { id } = await app.createAgent(ada.token, { greeting_message: 'Hello.', voice_id: 'echo' });
    const page = await list(id);
    expect(page).toMatchObject({ total: 1, limit: 20, offset: 0 });
    expect(page.data[0]).toEqual({
      id: expect.stringMatching(/^ver_/),
      agent_id: id,
      number: 1,
      model: 'default',
      voice_id: 'echo',
      note: null,
      origin: 'created',
      is_live: true,
      created_at: expect.any(String),
      published_at: expect.any(String),
    });
    const one = expectStatus(await call('GET', `${versionsOf(id)}/${page.data[0].id}`), 200).body;
    expect(one).toMatchObject({ instructions: 'You are Ada, a patient tutor.', greeting_message: 'Hello.' });
    expect(one).not.toHaveProperty('changes');
  });

  test('gain a live one when the behaviour changes, with its events', async () => {
    const { id } = await app.createAgent(ada.token);
    await edit(id, { instructions: 'Be brief.' });
    const { data } = await list(id);
    expect(data.map((version: { number: number; is_live: boolean }) => [version.number, version.is_live])).toEqual([
      [2, true],
      [1, false],
    ]);
    const sent = await events(id);
    expect(sent.map(({ type }) => type)).toEqual([
      'agent.created',
      'agent.updated',
      'agent.version_created',
      'agent.version_published',
    ]);
    expect(sent.map(({ data: { sequence } }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(sent[3]?.data).toMatchObject({ id: data[0].id, instructions: 'Be brief.', is_live: true, origin: 'edit' });
  });

  test('do not change when only the name changes or the values are the same', async () => {
    const { id } = await app.createAgent(ada.token, { greeting_message: 'Hello.' });
    const agent = await edit(id, { name: 'New', description: 'Other' });
    await edit(id, agent);
    expect((await list(id)).total).toBe(1);
    await edit(id, { greeting_message: null });
    expect((await list(id)).total).toBe(2);
  });

  test('are listed page by page', async () => {
    const { id } = await app.createAgent(ada.token);
    for (const n of [2, 3, 4]) await draft(id, { note: `Draft ${n}` });
    const page = await list(id, '?limit=2&offset=1');
    expect([page.total, page.data.map(({ number }: { number: number }) => number)]).toEqual([4, [3, 2]]);
  });

  test('show in which fields two of them differ', async () => {
    const { id } = await app.createAgent(ada.token, { greeting_message: 'Hello.' });
    const second = await draft(id, { instructions: 'Be brief.', greeting_message: null });
    const [, first] = (await list(id)).data;
    const path = `${versionsOf(id)}/${second.id}?compare_to=`;
    expect(expectStatus(await call('GET', path + first.id), 200).body.changes).toEqual([
      { field: 'instructions', before: 'You are Ada, a patient tutor.', after: 'Be brief.' },
      { field: 'greeting_message', before: 'Hello.', after: null },
    ]);
    expect(expectStatus(await call('GET', path + second.id), 200).body.changes).toEqual([]);
    expect((await call('GET', `${path}ver_none`)).status).toBe(404);
  });

  test('a conversation with a version that does not exist is refused, also when its id is empty', async () => {
    const { id } = await app.createAgent(ada.token);
    for (const version_id of ['', '   ', 'ver_none'])
      expect((await call('POST', '/v1/conversations', { agent_id: id, version_id })).status).toBe(404);
  });

  test('do not exist for others, also of a public agent', async () => {
    const { id } = await app.createAgent(ada.token, { is_public: true });
    const version = await draft(id, {});
    for (const [method, path, body] of [
      ['GET', versionsOf(id), undefined],
      ['POST', versionsOf(id), {}],
      ['GET', `${versionsOf(id)}/${version.id}`, undefined],
      ['POST', `${versionsOf(id)}/${version.id}/publish`, undefined],
      ['POST', '/v1/conversations', { agent_id: id, version_id: version.id }],
    ] as const)
      expect([path, (await call(method, path, body, bob.token)).status]).toEqual([path, 404]);
  });

  test.each([
    [{ instructions: '' }, 'instructions'],
    [{ instructions: 'x'.repeat(32_001) }, 'instructions'],
    [{ model: 'gpt' }, 'model'],
    [{ voice_id: 'bass' }, 'voice_id'],
    [{ note: 'x'.repeat(301) }, 'note'],
  ])('refuse %o', async (body, field) => {
    const { id } = await app.createAgent(ada.token);
    const answer = expectStatus(await call('POST', versionsOf(id), body), 400);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  test('are no more than the plan keeps: a new one replaces the oldest', async () => {
    const cleo = await app.signUp();
    const { id } = await app.createAgent(cleo.token);
    for (let n = 2; n <= 22; n++)
      expectStatus(await call('POST', versionsOf(id), { note: `Draft ${n}` }, cleo.token), 201);
    const page = expectStatus(await call('GET', `${versionsOf(id)}?limit=100`, undefined, cleo.token), 200).body;
    const numbers = page.data.map(({ number }: { number: number }) => number);
    expect([page.total, numbers[0], numbers.at(-1), numbers.at(-2)]).toEqual([20, 22, 1, 4]);
  });

  test('keep the newest one when experiments hold all others', async () => {
    const cleo = await app.signUp();
    const { id } = await app.createAgent(cleo.token);
    const post = async (path: string, body: object) =>
      expectStatus(await call('POST', path, body, cleo.token), 201).body;
    const drafts: string[] = [];
    for (let n = 2; n <= 20; n++) drafts.push((await post(versionsOf(id), { note: `Draft ${n}` })).id);
    for (const [n, version_id] of drafts.entries()) {
      const variants = [
        { key: 'a', version_id, weight: 50 },
        { key: 'b', version_id: drafts.at(n - 1), weight: 50 },
      ];
      await post(`/v1/studio/agents/${id}/experiments`, { name: `Experiment ${n}`, variants });
    }
    const added = await post(versionsOf(id), { note: 'Newest' });
    expectStatus(await call('GET', `${versionsOf(id)}/${added.id}`, undefined, cleo.token), 200);
    expectStatus(await call('PUT', `/v1/agents/${id}`, { instructions: 'Be brief.' }, cleo.token), 200);
    const { data } = expectStatus(await call('GET', versionsOf(id), undefined, cleo.token), 200).body;
    expect(data[0]).toMatchObject({ origin: 'edit', is_live: true });
  });

  test('continue after a change by an instance of the release before', async () => {
    const { id } = await app.createAgent(ada.token);
    await list(id);
    await app.db.query(`update agents set instructions = 'Changed beside.' where id = $1`, [id]);
    const { data } = await list(id);
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({ number: 2, is_live: true, origin: 'edit' });
    const one = expectStatus(await call('GET', `${versionsOf(id)}/${data[0].id}`), 200).body;
    expect(one.instructions).toBe('Changed beside.');
  });
});

describe('publishing a version', () => {
  test('restores an earlier one, and is a no-op for a live one', async () => {
    const { id } = await app.createAgent(ada.token, { instructions: 'First.' });
    await edit(id, { instructions: 'Second.' });
    const first = (await list(id)).data[1];
    const before = (await events(id)).length;
    const restored = expectStatus(await publish(id, first.id), 200).body;
    expect(restored).toMatchObject({ id: first.id, number: 1, is_live: true, instructions: 'First.' });
    expect(expectStatus(await call('GET', `/v1/agents/${id}`), 200).body.instructions).toBe('First.');
    expect((await list(id)).data.map(({ is_live }: { is_live: boolean }) => is_live)).toEqual([false, true]);
    const sent = (await events(id)).slice(before);
    expect(sent.map(({ type, data }) => [type, data.sequence])).toEqual([
      ['agent.updated', 5],
      ['agent.version_published', 6],
    ]);
    expectStatus(await publish(id, first.id), 200);
    expect(await events(id)).toHaveLength(before + 2);
  });

  test('needs the scope to change agents', async () => {
    const { id } = await app.createAgent(ada.token);
    const version = await draft(id, { instructions: 'Second.' });
    const body = { name: 'studio', scopes: ['studio:write'] };
    const { key } = expectStatus(await call('POST', '/v1/auth/api-keys', body), 201).body;
    expect((await publish(id, version.id, key)).body.error.code).toBe('insufficient_scope');
    expectStatus(await call('GET', versionsOf(id), undefined, key), 200);
  });

  test('of another agent’s version is 404', async () => {
    const [one, other] = [await app.createAgent(ada.token), await app.createAgent(ada.token)];
    const version = await draft(other.id, {});
    expect((await publish(one.id, version.id)).status).toBe(404);
  });
});

describe('a reply', () => {
  test('is written with the version that its generation names', async () => {
    const { id } = await app.createAgent(ada.token, { instructions: 'Speak of apples.', is_public: true });
    await talk(bob.token, { agent_id: id });
    expect(systemPrompt()).toContain('Speak of apples.');
    const [live] = (await list(id)).data;
    const { rows } = await app.db.query(
      `select g.version_id from generations g join conversations c on c.id = g.conversation_id where c.agent_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ version_id: live.id }]);
  });

  test('in a pinned conversation is written with that version, greeting included', async () => {
    const { id } = await app.createAgent(ada.token, { instructions: 'Speak of apples.', greeting_message: 'Live.' });
    const version = await draft(id, { instructions: 'Speak of pears.', greeting_message: 'Draft.' });
    const conversationId = await talk(ada.token, { agent_id: id, version_id: version.id });
    expect(systemPrompt()).toContain('Speak of pears.');
    const messages = expectStatus(await call('GET', `/v1/conversations/${conversationId}/messages`), 200).body.data;
    expect(messages.at(-1).content).toBe('Draft.');
    await talk(ada.token, { agent_id: id });
    expect(systemPrompt()).toContain('Speak of apples.');
  });

  test('cannot be pinned to a version of another agent', async () => {
    const [one, other] = [await app.createAgent(ada.token), await app.createAgent(ada.token)];
    const version = await draft(other.id, {});
    const body = { agent_id: one.id, version_id: version.id };
    expect((await call('POST', '/v1/conversations', body)).status).toBe(404);
  });
});

describe('Agent.liveVersion', () => {
  test('is shown to the owner only', async () => {
    const { id } = await app.createAgent(ada.token, { is_public: true });
    const query = `query ($id: ID!) { agent(id: $id) { liveVersion { number isLive } } }`;
    const ask = async (as: string) => (await app.graphql(query, { as, variables: { id } })).body.data.agent.liveVersion;
    expect(await ask(ada.token)).toEqual({ number: 1, isLive: true });
    expect(await ask(bob.token)).toBeNull();
  });
});

describe('GET /v1/billing/limits', () => {
  test('lists every limit of the plan', async () => {
    const { plan, data } = expectStatus(await call('GET', '/v1/billing/limits'), 200).body;
    expect(plan).toBe('creator');
    expect(data).toContainEqual({ name: 'agents', limit: -1 });
    expect(data).toContainEqual({ name: 'versions_per_agent', limit: 300 });
  });
});
