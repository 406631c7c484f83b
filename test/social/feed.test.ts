import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { createTestClock } from '../support/clock.ts';
import { type Named, socialOf } from '../support/social.ts';

const clock = createTestClock(new Date());
const hourMs = 3_600_000;

let app: TestApp;
let social: ReturnType<typeof socialOf>;
let reader: Named;
let maker: Named;
beforeAll(async () => {
  app = await startTestApp({ clock });
  social = socialOf(app);
  [reader, maker] = await Promise.all([social.person('reader'), social.person('maker')]);
  await social.put(`/social/following/${maker.id}`, reader);
});
afterAll(() => app.close());

const feedOf = async (as: Named, query = '') => social.get(`/social/feed${query}`, as);
/** Returns the same person with a token that is valid after the clock was moved. */
async function again({ email, password, ...person }: Named): Promise<Named> {
  const login = await app.call('POST', '/v1/auth/login', { body: { email, password } });
  return { ...person, email, password, token: expectStatus(login, 200).body.access_token };
}
interface Item {
  id: string;
  type: string;
  agent: { id: string } | null;
}
const agentsIn = async (as: Named) => (await feedOf(as)).data.map(({ agent }: Item) => agent?.id);
const publish = (as: Named, name: string) => app.createAgent(as.token, { name, is_public: true });

/** Creates a reader who follows a maker, with one agent in the feed. */
async function followed(): Promise<{ fan: Named; star: Named; agent: { id: string } }> {
  const [fan, star] = await Promise.all([social.person('fan'), social.person('star')]);
  await social.put(`/social/following/${star.id}`, fan);
  const agent = await publish(star, 'Star agent');
  expect(await agentsIn(fan)).toEqual([agent.id]);
  return { fan, star, agent };
}

/**
 * Lets the reader follow 300 people with three activities each, one of them of a private agent. The 120 with the newest ones are
 * hidden. Returns the ids of the 360 visible activities, newest first; the two of a person have the same time.
 */
async function followMany({ id }: Named): Promise<string[]> {
  const person = `('usr_' || lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')`;
  const each = `generate_series(1, 300) n`;
  await app.db.query(
    `insert into users (id, email, username, password_hash, created_at, updated_at)
     select ${person}, n || '@many.example', 'many' || n, '', now(), now() from ${each}`,
  );
  await app.db.query(
    `insert into profiles (user_id, visibility) select ${person}, 'hidden' from ${each} where n <= 120`,
  );
  await app.db.query(
    `insert into agents (id, owner_id, name, instructions, model, is_public, event_sequence, created_at, updated_at)
     select gen_random_uuid(), ${person}, 'Agent', 'x', 'default', i > 1, 1, now(), now() from ${each}, generate_series(1, 3) i`,
  );
  await app.db.query(
    `insert into follows (follower_id, followee_id, created_at) select $1, ${person}, now() from ${each}`,
    [id],
  );
  await app.db.query(
    `insert into activities (id, actor_id, type, agent_id, created_at)
     select 'act_' || gen_random_uuid(), a.owner_id, 'agent_published', a.id, $1::timestamptz - n * interval '1 second'
     from ${each} join agents a on a.owner_id = ${person}`,
    [clock.now()],
  );
  const { rows } = await app.db.query<{ id: string }>(
    `select c.id from activities c join agents a on a.id = c.agent_id join users u on u.id = c.actor_id
     where u.email like '%@many.example' and a.is_public and u.id not in (select user_id from profiles where visibility = 'hidden')
     order by c.created_at desc, c.id desc`,
  );
  return rows.map((row) => row.id);
}

describe('the feed', () => {
  test('shows what accounts that the caller follows publish, newest first, and pages without repeats', async () => {
    const first = await publish(maker, 'One');
    const second = await app.createAgent(maker.token, { name: 'Two' });
    clock.advance(1_000);
    await social.put(`/agents/${second.id}`, maker, { is_public: true });
    await app.createAgent(maker.token, { name: 'Private' });
    const page = await feedOf(reader);
    expect(page).toMatchObject({ has_more: false });
    expect(page).not.toHaveProperty('count');
    expect(page.data[0]).toMatchObject({
      id: expect.stringMatching(/^act_/),
      type: 'agent_published',
      actor: { id: maker.id, username: maker.name },
      agent: { id: second.id, name: 'Two' },
      share: null,
    });
    expect(page.data[0].agent).not.toHaveProperty('instructions');
    expect(await agentsIn(reader)).toEqual([second.id, first.id]);
    const [newest, oldest] = page.data;
    const top = await feedOf(reader, '?limit=1');
    expect([top.data.map(({ id }: Item) => id), top.has_more]).toEqual([[newest.id], true]);
    const rest = await feedOf(reader, `?limit=1&before=${newest.id}`);
    expect([rest.data.map(({ id }: Item) => id), rest.has_more]).toEqual([[oldest.id], false]);
    expect(await feedOf(reader, `?since=${oldest.id}`)).toEqual({ data: [], has_more: false, count: 1 });
    expect(await feedOf(reader, `?since=${newest.id}`)).toMatchObject({ count: 0 });
    const wrong = await social.send('GET', '/social/feed?before=nonsense', reader);
    expect([wrong.status, wrong.body.error.details[0].field]).toEqual([400, 'before']);
    await app.db.query(`delete from activities where id = $1`, [newest.id]);
    expect((await feedOf(reader, `?before=${newest.id}`)).data.map(({ id }: Item) => id)).toEqual([oldest.id]);
  });

  test('has one activity for an agent that is published twice within 24 hours, and another after that', async () => {
    const { fan, star, agent } = await followed();
    const turn = (is_public: boolean, as = star) => social.put(`/agents/${agent.id}`, as, { is_public });
    await turn(false);
    expect(await agentsIn(fan)).toEqual([]);
    await turn(true);
    expect(await agentsIn(fan)).toEqual([agent.id]);
    clock.advance(25 * hourMs);
    const [later, back] = await Promise.all([again(star), again(fan)]);
    await turn(false, later);
    await turn(true, later);
    expect(await agentsIn(back)).toEqual([agent.id, agent.id]);
  });

  test.each<[string, (it: Awaited<ReturnType<typeof followed>>) => Promise<unknown>]>([
    ['the agent turns private', ({ star, agent }) => social.put(`/agents/${agent.id}`, star, { is_public: false })],
    ['the agent is deleted', ({ star, agent }) => social.remove(`/agents/${agent.id}`, star)],
    ['the maker blocks the reader', ({ fan, star }) => social.put(`/social/blocks/${fan.id}`, star)],
    ['the reader blocks the maker', ({ fan, star }) => social.put(`/social/blocks/${star.id}`, fan)],
    ['the reader mutes the maker', ({ fan, star }) => social.put(`/social/mutes/${star.id}`, fan)],
    ['the reader stops following', ({ fan, star }) => social.remove(`/social/following/${star.id}`, fan)],
    ['the maker hides', ({ star }) => social.put('/social/profile', star, { visibility: 'hidden' })],
    ['the maker deletes the account', ({ star }) => social.remove('/auth/me', star)],
  ])('drops an activity at the next read when %s', async (_what, change) => {
    const it = await followed();
    // Follow another account too, so that the reader always follows someone.
    await social.put(`/social/following/${maker.id}`, it.fan);
    await change(it);
    expect(await agentsIn(it.fan)).not.toContain(it.agent.id);
  });

  test('suggests trending agents while no one is followed, never mixed with activities', async () => {
    const { fan, star, agent } = await followed();
    await social.put(`/social/blocks/${star.id}`, fan);
    const suggested = await feedOf(fan, '?limit=5');
    expect(suggested.has_more).toBe(false);
    expect(suggested.data.length).toBeGreaterThan(0);
    expect(new Set(suggested.data.map(({ type }: Item) => type))).toEqual(new Set(['suggestion']));
    expect(suggested.data.map(({ agent: one }: Item) => one?.id)).not.toContain(agent.id);
    const last = suggested.data.at(-1).agent.id;
    expect(await social.statuses(social.send('GET', `/social/feed?before=${last}`, fan))).toEqual([200]);
    const quiet = await social.person('quiet');
    await social.put(`/social/following/${quiet.id}`, fan);
    expect((await feedOf(fan)).data).toEqual([]);
  });

  test('shows a share that is in feeds, which opens by its id until it is revoked', async () => {
    const { fan, star } = await followed();
    const { id } = await app.createConversation(star.token, { name: 'Shown' });
    const asked = { type: 'conversation', conversation_id: id, anonymous: false, in_feed: true, note: 'Look.' };
    const share = await social.share(star, asked);
    const [item] = (await feedOf(fan)).data;
    expect(item).toMatchObject({
      type: 'conversation_shared',
      agent: null,
      share: { id: share.id, type: 'conversation', note: 'Look.', message_count: 1 },
    });
    const byId = () => app.call('GET', `/v1/shares/${share.id}`);
    expect((await byId()).body).toMatchObject({ shared_by: { id: star.id }, agent_name: 'Shown' });
    await social.remove(`/social/shares/${share.id}`, star);
    expect(await social.statuses(byId())).toEqual([404]);
    expect((await feedOf(fan)).data.map(({ type }: Item) => type)).toEqual(['agent_published']);
    const flagged = await social.send('POST', '/social/shares', star, { ...asked, note: '[[flag:hate]] words' });
    expect([flagged.status, flagged.body.error.details[0].code]).toEqual([400, 'content_refused']);
  });

  test('pages through the activity of 300 accounts without a gap or a repeat, even behind 4,100 activities of others', async () => {
    const [fan, other] = await Promise.all([social.person('fan'), social.person('other')]);
    const expected = await followMany(fan);
    expect(expected).toHaveLength(360);
    const pages = async () => {
      const ids: string[] = [];
      for (let page = await feedOf(fan, '?limit=50'); ; page = await feedOf(fan, `?limit=50&before=${ids.at(-1)}`)) {
        ids.push(...page.data.map(({ id }: Item) => id));
        if (!page.has_more) return ids;
      }
    };
    const newer = async () => (await feedOf(fan, `?since=${expected[30]}`)).count;
    expect([await pages(), await newer()]).toEqual([expected, 30]);
    const { id } = await publish(other, 'Noise');
    await app.db.query(
      `insert into activities (id, actor_id, type, agent_id, created_at)
       select 'act_' || gen_random_uuid(), $1, 'agent_published', $2, $3 from generate_series(1, 4100)`,
      [other.id, id, clock.now()],
    );
    expect([await pages(), await newer()]).toEqual([expected, 30]);
  });

  test('reaches back 90 days', async () => {
    const { fan, star } = await followed();
    clock.advance(91 * 24 * hourMs);
    expect((await feedOf(await again(fan))).data).toEqual([]);
    expect((await app.call('GET', `/v1/users/${star.name}/agents`)).body.total).toBe(1);
  });
});
