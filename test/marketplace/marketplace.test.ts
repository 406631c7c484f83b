import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listMarketplace } from '../../src/marketplace/marketplace.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let owner: Account;
let reader: Account;
beforeAll(async () => {
  app = await startTestApp();
  [owner, reader] = await Promise.all([
    app.signUp({ plan: 'creator', username: 'owner' }),
    app.signUp({ plan: 'pro' }),
  ]);
});
afterAll(() => app.close());

const get = (path: string, as?: string) => app.call('GET', path, as ? { as } : {});
const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);
const publish = (fields: object = {}, as = owner.token) => app.createAgent(as, { is_public: true, ...fields });
const put = (path: string, body: object, as = owner.token) => app.call('PUT', path, { as, body });
const eventsOf = async (account: Account, agentId: string) =>
  (
    await app.db.query<{ type: string }>(
      `select type from outbox_events where account_id = $1 and (data->>'id' = $2 or data->>'agent_id' = $2) order by seq`,
      [account.id, agentId],
    )
  ).rows.map(({ type }) => type);

describe('a listing', () => {
  test('is the public agent: in marketplace and explore once it is published, and gone from both with an event', async () => {
    const agent = await publish({ name: 'Tally Counter', category: 'tutor', description: 'Counts things.' });
    const found = await get(`/v1/marketplace/agents/${agent.id}`);
    expect(found.status).toBe(200);
    expect(found.body).toMatchObject({
      agent_id: agent.id,
      slug: 'tally-counter',
      name: 'Tally Counter',
      rating: null,
    });
    expect(found.body.creator).toMatchObject({ id: owner.id, username: 'owner' });
    for (const absent of ['status', 'views', 'my_review', 'moved_to', 'instructions'])
      expect(found.body).not.toHaveProperty(absent);
    expect(names((await get('/v1/marketplace?sort=recent')).body)).toContain('Tally Counter');
    expect(names((await get('/v1/agents/explore?q=Tally', reader.token)).body)).toEqual(['Tally Counter']);
    expect(await eventsOf(owner, agent.id)).toEqual(['agent.created', 'agent.published']);
    expect((await get('/v1/marketplace/agents/tally-counter', owner.token)).body.status).toBe('listed');

    expectStatus(await put(`/v1/agents/${agent.id}`, { is_public: false }), 200);
    expect(names((await get('/v1/marketplace?q=Tally')).body)).toEqual([]);
    expect(names((await get('/v1/agents/explore?q=Tally', reader.token)).body)).toEqual([]);
    for (const named of [agent.id, 'tally-counter'])
      expect((await get(`/v1/marketplace/agents/${named}`)).status).toBe(404);
    expect((await eventsOf(owner, agent.id)).slice(2)).toEqual(['agent.updated', 'agent.unpublished']);
    expect((await get(`/v1/agents/${agent.id}/listing`, owner.token)).body.status).toBe('unlisted');
  });

  test('stores the fields that its owner sets, and keeps the others', async () => {
    const { id } = await publish({ name: 'Giver' });
    const about = '# Hello <script>alert(1)</script> & **all**';
    const fields = { about, starters: ['Hi', 'Ho'], tags: ['math', 'math', 'fun'], language: 'en', allow_copies: true };
    const { body } = await put(`/v1/agents/${id}/listing`, fields);
    expect(body).toMatchObject({ ...fields, tags: ['math', 'fun'], content_rating: 'everyone', banner_url: null });
    const partial = await put(`/v1/agents/${id}/listing`, { language: null });
    expect(partial.body).toMatchObject({ about, starters: ['Hi', 'Ho'], language: null, allow_copies: true });
    const shown = (await get(`/v1/marketplace/agents/${id}`)).body;
    expect(shown).toMatchObject({ about, instructions: expect.any(String) });
    expect((await get(`/v1/agents/${id}`, reader.token)).body).not.toHaveProperty('instructions');
    expect((await put(`/v1/agents/${id}/listing`, fields, reader.token)).status).toBe(404);
  });

  const invalid: [string, object, string][] = [
    ['a slug of two characters', { slug: 'ab' }, 'slug'],
    ['a slug of 201 characters', { slug: 'x'.repeat(201) }, 'slug'],
    ['a reserved slug', { slug: 'admin' }, 'slug'],
    ['a slug like an ID', { slug: '019bc0de-0000-7000-8000-000000000001' }, 'slug'],
    ['an image of another host', { about: 'x ![a](https://spy.example/a.png)' }, 'about'],
    ['an image by reference', { about: '![a][b]\n\n[b]: https://spy.example/a.png' }, 'about'],
    ['an image in HTML', { about: '<IMG src=//spy.example/a>' }, 'about'],
    ['an image that hides behind brackets', { about: '![a [b]](https://spy.example/a.png)' }, 'about'],
    ['five starters', { starters: ['1', '2', '3', '4', '5'] }, 'starters'],
    ['a tag with a space', { tags: ['a b'] }, 'tags[0]'],
    ['a language of three letters', { language: 'eng' }, 'language'],
    ['a language that there is not', { language: 'zz' }, 'language'],
    ['an empty banner', { banner_url: '' }, 'banner_url'],
    ['a banner of another host', { banner_url: 'https://spy.example/images/a' }, 'banner_url'],
  ];
  test.each(invalid)('refuses %s, naming the field', async (_what, body, field) => {
    const { id } = await publish();
    const answer = await put(`/v1/agents/${id}/listing`, body);
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field]);
  });

  test('is found by an old slug, which no other agent can take', async () => {
    const [one, other] = [await publish({ name: 'Mover' }), await publish({ name: 'Mover' })];
    const listing = (await get(`/v1/agents/${other.id}/listing`, owner.token)).body;
    expect(listing.slug).toMatch(/^mover-[a-z0-9]+$/);
    expectStatus(await put(`/v1/agents/${one.id}/listing`, { slug: 'mover-two' }), 200);
    const moved = await get('/v1/marketplace/agents/mover');
    expect(moved.body).toMatchObject({ agent_id: one.id, slug: 'mover-two', moved_to: 'mover-two' });
    for (const slug of ['mover', 'mover-two']) {
      const { code, details } = (await put(`/v1/agents/${other.id}/listing`, { slug })).body.error;
      expect([code, details[0].field, details[0].code]).toEqual(['conflict', 'slug', 'taken']);
    }
    expectStatus(await put(`/v1/agents/${one.id}/listing`, { slug: 'mover' }), 200);
    expect((await get('/v1/marketplace/agents/mover')).body).not.toHaveProperty('moved_to');
  });
});

describe('the marketplace', () => {
  test('returns the same to everyone, cacheable only without a credential', async () => {
    const agent = await publish({ name: 'Cached' });
    const path = `/v1/marketplace/agents/${agent.id}`;
    const [open, own, broken] = [await get(path), await get(path, reader.token), await get(path, 'nonsense')];
    expect(open.headers.get('cache-control')).toBe('public, max-age=30');
    for (const answer of [own, broken]) expect(answer.headers.get('cache-control')).toBe('private, no-store');
    for (const answer of [open, own, broken]) expect(answer.headers.get('vary')).toContain('Authorization');
    expect(own.body).toEqual({ ...open.body, liked: false, my_review: null });
    expect((await get('/v1/marketplace/agents/no-such-thing')).headers.get('cache-control')).toBe('no-store');
  });

  test('finds signs, accents and Chinese, names that are misspelt, tags and what listings say', async () => {
    const [percent, cafe, tea] = [
      await publish({ name: '100% Sure_Thing' }),
      await publish({ name: 'Café Crème', description: 'Zürich' }),
      await publish({ name: '茶道老师', description: '教你茶道' }),
    ];
    await put(`/v1/agents/${tea.id}/listing`, { tags: ['ceremony'], about: 'Everything about porcelain.' });
    const search = async (q: string) =>
      (await get(`/v1/marketplace?q=${encodeURIComponent(q)}`)).body.data.map(
        ({ agent_id }: { agent_id: string }) => agent_id,
      );
    expect(await search('100%')).toEqual([percent.id]);
    expect(await search('%')).not.toContain(cafe.id);
    expect(await search('sure_')).toEqual([percent.id]);
    expect(await search('crème')).toEqual([cafe.id]);
    expect(await search('zürich')).toEqual([cafe.id]);
    expect(await search('茶道老')).toEqual([tea.id]);
    expect(await search('ceremony')).toEqual([tea.id]);
    expect(await search('porcelain')).toEqual([tea.id]);
    expect(await search('Café Creme')).toContain(cafe.id);
    expect((await get('/v1/marketplace?sort=relevance')).status).toBe(400);
  });

  test('ranks names over listings and descriptions, from stored vectors and without comparing pairs of words', async () => {
    const [often, described, named, once] = [
      await publish({ name: 'Xavier' }),
      await publish({ name: 'Yolanda', description: 'Gherkins and samovars.' }),
      await publish({ name: 'Gherkin Samovar' }),
      await publish({ name: 'Zacharias' }),
    ];
    await put(`/v1/agents/${often.id}/listing`, { about: 'Gherkin, samovar. A samovar of gherkin, and a gherkin.' });
    await put(`/v1/agents/${once.id}/listing`, { about: 'One samovar and all that is in it, with a gherkin.' });
    const found = (await get('/v1/marketplace?q=gherkin%20samovar')).body.data;
    expect(names({ data: found }).slice(0, 2)).toEqual(['Gherkin Samovar', 'Xavier']);
    const ids = found.map(({ agent_id }: { agent_id: string }) => agent_id).toSorted();
    expect(ids).toEqual([often.id, described.id, named.id, once.id].toSorted());

    // A search may rank 10,000 texts, so none of them is parsed for its rank.
    const read: string[] = [];
    const ctx = app.app.newCtx({ kind: 'anonymous', ip: null });
    const sql: typeof ctx.sql = (statement, values) => {
      read.push(statement.text);
      return ctx.sql(statement, values);
    };
    await listMarketplace({ ...ctx, sql }, { q: 'gherkin samovar' });
    const [ranking = ''] = read.filter((text) => text.includes('ts_rank('));
    expect(ranking).not.toMatch(/\bto_tsvector/);
    expect(ranking).not.toMatch(/ts_rank\([^()]*, plainto_tsquery/);
  });

  test('filters, sorts and pages; agents for adults are hidden', async () => {
    const maker = await app.signUp({ plan: 'creator', username: 'maker' });
    const agents = [];
    for (const name of ['One', 'Two', 'Three']) agents.push(await publish({ name, category: 'coach' }, maker.token));
    const [one, two, three] = agents as [{ id: string }, { id: string }, { id: string }];
    await put(`/v1/agents/${one.id}/listing`, { tags: ['rare'], language: 'fr' }, maker.token);
    await put(`/v1/agents/${two.id}/listing`, { content_rating: 'mature' }, maker.token);
    const list = async (query: string, as?: string) => {
      const { body } = await get(`/v1/marketplace?${query}`, as);
      return [names(body).toSorted(), body.total];
    };
    const everyone = [['One', 'Three'], 2];
    expect(await list('creator=maker')).toEqual(everyone);
    expect(await list('creator=MAKER')).toEqual(everyone);
    expect(await list(`creator=${maker.id}&mature=true`)).toEqual(everyone);
    expect(await list(`creator=${maker.id}&mature=true`, reader.token)).toEqual(everyone);
    expect(await list('tag=rare')).toEqual([['One'], 1]);
    expect(await list('language=fr&category=coach')).toEqual([['One'], 1]);
    expect(await list('tag=nothing-like-it')).toEqual([[], 0]);
    for (const sort of ['popular', 'trending', 'recent', 'rating'])
      expect(await list(`creator=${maker.id}&sort=${sort}`)).toEqual(everyone);
    expect(names((await get(`/v1/marketplace?creator=${maker.id}&sort=recent&limit=1&offset=1`)).body)).toEqual([
      'One',
    ]);
    expect((await get(`/v1/marketplace/agents/${two.id}`)).body.content_rating).toBe('mature');
    const home = (await get('/v1/marketplace/home')).body;
    expect(names({ data: home.new })).toContain('Three');
    expect(home.categories.find(({ category }: { category: string }) => category === 'coach').data).toHaveLength(2);
    expect(JSON.stringify(home)).not.toContain(two.id);
    expect(three.id).toBeTruthy();
    const { body } = await app.graphql(
      `{ marketplace(creator: "${maker.id}", limit: 1) { data { name isMine picture { small } creator { username } } pageInfo { hasNextPage endCursor } } }`,
    );
    const after = body.data.marketplace.pageInfo.endCursor;
    const next = await app.graphql(
      `{ marketplace(creator: "${maker.id}", limit: 1, after: "${after}") { data { name } total } }`,
    );
    expect(next.body.data.marketplace.data[0].name).not.toBe(body.data.marketplace.data[0].name);
  });

  test('hides all listings of an account at once when its deletion begins, and shows them again after a restore', async () => {
    const leaving = await app.signUp();
    const agent = await publish({ name: 'Leaver' }, leaving.token);
    const conversation = expectStatus(
      await app.call('POST', '/v1/conversations', { as: reader.token, body: { agent_id: agent.id } }),
      201,
    ).body;
    expectStatus(await app.call('DELETE', '/v1/auth/me', { as: leaving.token }), 200);
    const paths = [`/v1/marketplace/agents/${agent.id}`, `/v1/marketplace/agents/leaver`, `/v1/agents/${agent.id}`];
    for (const path of paths) expect((await get(path, reader.token)).status).toBe(404);
    expect(names((await get('/v1/marketplace?q=Leaver')).body)).toEqual([]);
    const send = () =>
      app.call('POST', `/v1/conversations/${conversation.id}/messages`, { as: reader.token, body: { content: 'Hi' } });
    expect((await send()).status).toBe(404);
    await eventually(async () => (await eventsOf(leaving, agent.id)).includes('agent.unpublished'));
    const { email, password } = leaving;
    expectStatus(await app.call('POST', '/v1/auth/restore', { body: { email, password } }), 200);
    expect((await get(paths[0] ?? '')).status).toBe(200);
    expectStatus(await send(), 201);
  });
});

describe('a copy', () => {
  test('can be made of own agents and of those that allow it, and belongs to the copier', async () => {
    const agent = await publish({ name: 'Original', instructions: 'Secret recipe.' });
    const copy = (as: string) => app.call('POST', `/v1/agents/${agent.id}/copy`, { as });
    const [closed, unknown] = [
      await copy(reader.token),
      await app.call('POST', '/v1/agents/019bc0de-0000-7000-8000-000000000009/copy', { as: reader.token }),
    ];
    expect([closed.status, closed.body.error.code]).toEqual([404, unknown.body.error.code]);
    await put(`/v1/agents/${agent.id}/listing`, { allow_copies: true });
    const made = await copy(reader.token);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'Original (copy)', instructions: 'Secret recipe.', is_public: false });
    const versions = await app.call('GET', `/v1/studio/agents/${made.body.id}/versions`, { as: reader.token });
    expect(versions.body.data).toEqual([expect.objectContaining({ number: 1, origin: 'copy', is_live: true })]);
    expect((await get(`/v1/agents/${made.body.id}/listing`, reader.token)).body).toMatchObject({
      copied_from: agent.id,
      allow_copies: false,
      about: null,
    });
    expect((await copy(owner.token)).status).toBe(201);
    const free = await app.signUp();
    for (let n = 0; n < 3; n++) expectStatus(await copy(free.token), 201);
    expect((await copy(free.token)).body.error.code).toBe('plan_limit_exceeded');
    expectStatus(await app.call('DELETE', `/v1/agents/${agent.id}`, { as: owner.token }), 200);
    expect((await get(`/v1/agents/${made.body.id}/listing`, reader.token)).body.copied_from).toBeNull();
  });
});
