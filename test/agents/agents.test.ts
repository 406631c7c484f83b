import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus, type Answer } from '../support/client.ts';
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

describe('an agent that is made', () => {
  test('is answered whole, with its defaults', async () => {
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

  test('has its name trimmed and measured in characters', async () => {
    const answer = expectStatus(
      await post(ada.token, { ...required, name: `  ${'👩‍🚀'.slice(0, 2).repeat(80)}  ` }),
      201,
    );
    expect([...answer.body.name]).toHaveLength(80);
  });

  test.each([
    [{}, ['name', 'instructions']],
    [{ name: '', avatar_url: 'x' }, ['instructions', 'name', 'avatar_url']],
    [{ ...required, name: '' }, ['name']],
    [{ ...required, name: '   ' }, ['name']],
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
  ])('from a bad body (%#) is refused naming the fields', async (body, fields) => {
    const answer = await post(ada.token, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toEqual(fields);
  });

  test('takes nothing that is the service’s to say', async () => {
    const body = JSON.parse(
      `{"name":"Ada","instructions":"Teach.","id":"x","creator_id":"${bob.id}","message_count":9,"created_at":"1999-01-01T00:00:00.000Z","__proto__":{"polluted":1}}`,
    ) as unknown;
    const answer = expectStatus(await post(ada.token, body), 201);
    expect(answer.body).toMatchObject({ creator_id: ada.id, message_count: 0 });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('is announced, and announced as published when it is public', async () => {
    const { id } = await app.createAgent(ada.token, { is_public: true });
    expect((await events(id)).map((event) => [event.type, event.data.sequence])).toEqual([
      ['agent.created', 1],
      ['agent.published', 2],
    ]);
  });

  test('is one too many for the plan at exactly the limit, however many are made at once', async () => {
    const free = await app.signUp();
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(free.token, required)));
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 9 }, () => 403)]);
    expect(answers.find((answer) => answer.status === 403)?.body.error.code).toBe('plan_limit_exceeded');
  });
});

describe('an agent that exists', () => {
  test('changes only in the fields that are sent, and null clears', async () => {
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

  test('is announced as published each time it turns public', async () => {
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

  test('that is deleted at the same moment opens no conversation: 404', async () => {
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

  test('takes its conversations with it, other people’s too', async () => {
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
  test('is the caller’s own, in the order asked for, page by page', async () => {
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

describe('the feed of public agents', () => {
  test('finds words in name and description, takes % and _ as they are, and keeps to a category', async () => {
    const quartz = await publicAgent('Quartz 100% miner_x', { description: 'Digs', category: 'developer' });
    await publicAgent('Quartzite 100 miner', { category: 'tutor' });
    const found = async (query: string) =>
      expectStatus(await get(ada.token, `/explore?${query}`), 200).body.data.map((agent: { id: string }) => agent.id);
    expect(await found('q=quartz%20digs')).toEqual([quartz.id]);
    expect(await found('q=100%25')).toEqual([quartz.id]);
    expect(await found('q=miner_')).toEqual([quartz.id]);
    expect(await found('q=QUARTZ&category=developer')).toEqual([quartz.id]);
    expect(expectStatus(await get(ada.token, '/explore?q=quartz'), 200).body.total).toBe(2);
    expect((await get(ada.token, '/explore?category=robot')).status).toBe(400);
  });

  test('finds words without a letter, of one and of two letters, and pages through them by cursor', async () => {
    const ids = [];
    for (const name of ['Vx vxylo !?', 'Vxylem !?', 'The vxyl !?']) ids.unshift((await publicAgent(name)).id);
    const found = async (q: string) =>
      expectStatus(await get(ada.token, `/explore?sort=recent&q=${encodeURIComponent(q)}`), 200).body;
    for (const q of ['!?', 'vx', 'vxyl !?', 'v vxy'])
      expect((await found(q)).data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect((await found('xylo?')).total).toBe(0);
    const seen: string[] = [];
    for (let after = ''; after !== 'end';) {
      const query = `query ($after: String) { exploreAgents(sort: RECENT, q: "vx", limit: 1, after: $after) {
        data { id } pageInfo { endCursor hasNextPage } } }`;
      const { body } = await app.graphql(query, { as: ada.token, variables: { after: after || null } });
      const { data, pageInfo } = body.data.exploreAgents;
      seen.push(data[0].id);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : 'end';
    }
    expect(seen).toEqual(ids);
  });

  test('never shows instructions, greeting, voice or a private agent', async () => {
    const { id } = await app.createAgent(bob.token, { name: 'Hiddenite' });
    const shown = await publicAgent('Visibleite');
    const page = expectStatus(await get(ada.token, '/explore?q=ite&sort=recent&limit=100'), 200).body;
    expect(page.data.map((agent: { id: string }) => agent.id)).not.toContain(id);
    const item = page.data.find((agent: { id: string }) => agent.id === shown.id);
    expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['instructions']));
    expect(item).toHaveProperty('creator_id', bob.id);
    expect(item).not.toHaveProperty('greeting_message');
    expect(item).not.toHaveProperty('voice_id');
  });

  test('puts many people before one busy one in trending, and messages ever first in popular', async () => {
    const many = await publicAgent('Feldspar of many');
    const busy = await publicAgent('Feldspar of one');
    const users = await Promise.all(Array.from({ length: 4 }, () => app.signUp({ plan: 'plus' })));
    const puppets = await Promise.all(Array.from({ length: 4 }, () => app.signUp()));
    const note = (agent: string, user: string, messages: number) =>
      app.db.query(`insert into agent_activity (agent_id, user_id, messages, created_at) values ($1, $2, $3, now())`, [
        agent,
        user,
        messages,
      ]);
    await note(busy.id, ada.id, 40);
    await Promise.all(users.map((user) => note(many.id, user.id, 4)));
    const bought = await publicAgent('Feldspar of throw-away accounts');
    await Promise.all(puppets.map((user) => note(bought.id, user.id, 4)));
    const { aggregateActivity } = await import('../../src/agents/popularity.ts');
    await aggregateActivity(app.app.newCtx({ kind: 'system' }));
    const order = async (sort: string) =>
      expectStatus(await get(ada.token, `/explore?q=feldspar&sort=${sort}`), 200).body.data.map(
        (agent: { id: string }) => agent.id,
      );
    expect(await order('trending')).toEqual([many.id, busy.id, bought.id]);
    expect((await order('popular'))[0]).toBe(busy.id);
    expect(expectStatus(await get(bob.token, `/${busy.id}`), 200).body.message_count).toBe(40);
  });
});

describe('exploreAgents', () => {
  const query = `query ($after: String) {
    exploreAgents(q: "moonstone", sort: POPULAR, limit: 2, after: $after) {
      data { id } pageInfo { hasNextPage endCursor }
    }
  }`;

  test('repeats no agent on the next page while messages are not aggregated yet', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await publicAgent(`Moonstone ${i}`)).id);
    const notes = ids.flatMap((id, i) => Array.from({ length: i * 3 }, () => id));
    await app.db.query(
      `insert into agent_activity (agent_id, user_id, messages, created_at) select unnest($1::text[]), $2, 1, now()`,
      [notes, ada.id],
    );
    // The job that aggregates runs beside the test; it skips what is locked.
    const holder = await app.db.connect();
    await holder.query('begin');
    await holder.query('select from agent_activity for update');
    const seen: string[] = [];
    let after: string | null = null;
    for (let more = true; more;) {
      const answer: Answer = await app.graphql(query, { as: ada.token, variables: { after } });
      const page = answer.body.data.exploreAgents;
      seen.push(...page.data.map((agent: { id: string }) => agent.id));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    await holder.query('rollback');
    holder.release();
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  test('finds words of one or two characters at the start of a word', async () => {
    const { id } = await publicAgent('Qx moonraker', { description: 'from zq' });
    const found = async (q: string) =>
      expectStatus(await get(ada.token, `/explore?q=${q}`), 200).body.data.map((agent: { id: string }) => agent.id);
    for (const q of ['qx', 'zq', 'moonraker%20qx']) expect(await found(q)).toEqual([id]);
    expect(await found('q')).toContain(id);
    expect(await found('x')).toEqual([]);
  });
});

describe('the total of all public agents', () => {
  const total = async (): Promise<number> => expectStatus(await get(ada.token, '/explore?limit=1'), 200).body.total;
  const counted = async (): Promise<number> =>
    Number((await app.db.query('select count(*) as n from agents where is_public')).rows[0].n);

  test('is exact while they are few, and an estimate when there are many', async () => {
    await publicAgent('One more');
    expect(await total()).toBe(await counted());
    await app.db.query(
      `insert into agents (id, owner_id, name, instructions, model, is_public, created_at, updated_at)
       select gen_random_uuid(), $1, n, 'x', 'default', true, now(), now() from generate_series(1, 10500) n`,
      [ada.id],
    );
    expect(await total()).toBeGreaterThan(10_000);
    await app.db.query('analyze agents');
    const all = await counted();
    expect(Math.abs((await total()) - all)).toBeLessThan(all * 0.02);
  });
});
