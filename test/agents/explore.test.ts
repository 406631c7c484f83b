import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aggregateActivity } from '../../src/agents/popularity.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus, type Answer } from '../support/client.ts';

let app: TestApp;
let ada: Account;
let bob: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
  bob = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());

const get = (as: string, path: string) => app.call('GET', `/v1/agents${path}`, { as });
const publicAgent = (name: string, fields: object = {}) =>
  app.createAgent(bob.token, { name, is_public: true, ...fields });

describe('the feed of public agents', () => {
  test('finds words in name and description, treats % and _ literally, and filters by category', async () => {
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

  test.each([
    ['without its accents', 'Zürich Kaffeeführer', 'kaffeefuhrer'],
    ['with accents that it lacks', 'Barista Quimera', 'quiméra'],
    ['by two characters inside a name without spaces', '日本語学習アシスタント', '学習'],
    ['in full width', 'Ｑｕａｓａｒ guide', 'quasar'],
    ['without its vowel signs', 'مُسَاعِد القهوة', 'مساعد'],
  ])('finds a name %s', async (_how, name, q) => {
    const { id } = await publicAgent(name);
    for (const path of ['/v1/agents/explore', '/v1/marketplace']) {
      const { body } = await app.call('GET', `${path}?q=${encodeURIComponent(q)}`, { as: ada.token });
      expect(JSON.stringify(body)).toContain(id);
    }
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

  test('ranks by established users in trending, and by all messages in popular', async () => {
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
    // The aggregation job runs concurrently and skips locked rows.
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
