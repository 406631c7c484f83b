import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createTestClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { runRecurring } from '../support/jobs.ts';
import { letTasksComeDue } from '../support/leases.ts';
import { type Named, socialOf, tokenOf } from '../support/social.ts';

const clock = createTestClock(new Date());
const dayMs = 86_400_000;

let app: TestApp;
let social: ReturnType<typeof socialOf>;
beforeAll(async () => {
  app = await startTestApp({ clock });
  social = socialOf(app);
});
afterAll(() => app.close());

const newCtx = () => app.app.newCtx({ kind: 'system' });
const aggregate = () => runRecurring('social.aggregate', newCtx);
const countsOf = async ({ name }: Named) => {
  const { follower_count, following_count } = (await app.call('GET', `/v1/users/${name}`)).body;
  return [follower_count, following_count];
};
const likesOf = async (agentId: string, { token }: Named): Promise<number> => {
  const variables = { id: agentId };
  return (await app.graphql('query ($id: ID!) { agent(id: $id) { likeCount } }', { as: token, variables })).body.data
    .agent.likeCount;
};
const eventsOf = async (account: Named, type: string): Promise<object[]> => {
  const { rows } = await app.db.query(
    `select data from outbox_events where account_id = $1 and type = $2 order by seq`,
    [account.id, type],
  );
  return rows.map(({ data }) => data);
};

test('user.followed and agent.liked name no one, come at most once a minute, and end with the last count', async () => {
  const [star, ...fans] = await Promise.all(['star', 'a', 'b', 'c'].map((name) => social.person(name)));
  if (!star) return;
  const agent = await app.createAgent(star.token, { is_public: true });
  const cheer = async (fan?: Named) => {
    if (!fan) return;
    await social.put(`/social/following/${star.id}`, fan);
    await social.put(`/social/likes/${agent.id}`, fan);
    await aggregate();
  };
  const heard = async () => [await eventsOf(star, 'user.followed'), await eventsOf(star, 'agent.liked')];
  const [followed, liked] = [
    (follower_count: number, sequence: number) => ({ follower_count, sequence }),
    (like_count: number, sequence: number) => ({ agent_id: agent.id, like_count, sequence }),
  ];
  await cheer(fans[0]);
  const hasHeard = (times: number) => eventually(async () => (await heard()).every(({ length }) => length === times));
  await hasHeard(1);
  expect(await heard()).toEqual([[followed(1, 1)], [liked(1, 1)]]);
  await cheer(fans[1]);
  await cheer(fans[2]);
  expect(await heard()).toEqual([[followed(1, 1)], [liked(1, 1)]]);
  clock.advance(61_000);
  await aggregate();
  await hasHeard(2);
  expect(await heard()).toEqual([
    [followed(1, 1), followed(3, 2)],
    [liked(1, 1), liked(3, 2)],
  ]);
});

test('share.created has the share without its link', async () => {
  const ada = await social.person('ada');
  const { id } = await app.createConversation(ada.token);
  const share = await social.share(ada, { type: 'conversation', conversation_id: id });
  const events = await eventsOf(ada, 'share.created');
  expect(events).toEqual([{ ...share, url: null, sequence: 1 }]);
  expect(JSON.stringify(events)).not.toContain(tokenOf(share));
});

test('a recount corrects a counter that has drifted, reports it, and does not change a correct one', async () => {
  const [star, fan] = await Promise.all([social.person('star'), social.person('fan')]);
  await social.put(`/social/following/${star.id}`, fan);
  await aggregate();
  const metric = async () =>
    /^social_recount_drifted (\d+)$/m.exec(await app.send('GET', '/metrics').then((r) => r.text()))?.[1];
  // A worker of the service may aggregate first.
  const drift = `update profiles set follower_count = 7 where user_id = $1 and follower_count = 1 returning 1`;
  await eventually(async () => (await app.db.query(drift, [star.id])).rows.length === 1);
  expect(await countsOf(star)).toEqual([7, 0]);
  await runRecurring('social.recount', newCtx);
  await eventually(async () => (await countsOf(star))[0] === 1);
  await eventually(async () => (await metric()) === '1');
  await social.remove(`/social/following/${star.id}`, fan);
  expect([await countsOf(star), await countsOf(fan)]).toEqual([
    [0, 0],
    [0, 0],
  ]);
  await aggregate();
  await runRecurring('social.recount', newCtx);
  await eventually(async () => (await metric()) === '0');
});

test('the deletion of an account hides all of it at once, a restore shows it again, and a purge leaves no row and right counters', async () => {
  const [leaver, friend] = await Promise.all([social.person('leaver'), social.person('friend')]);
  const agent = await app.createAgent(friend.token, { is_public: true });
  const own = await app.createConversation(leaver.token, { is_public: true });
  await social.put(`/social/following/${friend.id}`, leaver);
  await social.put(`/social/following/${leaver.id}`, friend);
  await social.put(`/social/likes/${agent.id}`, leaver);
  await social.put(`/social/mutes/${friend.id}`, leaver);
  const share = await social.share(leaver, {
    type: 'conversation',
    conversation_id: own.id,
    anonymous: false,
    in_feed: true,
  });
  await aggregate();
  const seen = async () => [
    (await app.call('GET', `/v1/users/${leaver.name}`)).status,
    (await app.call('GET', `/v1/shares/${tokenOf(share)}`)).status,
    (await social.get('/social/feed', friend)).data.map(({ type }: { type: string }) => type),
    (await social.get('/social/followers', friend)).total,
  ];
  const shown = [200, 200, ['conversation_shared', 'agent_published'], 1];
  expect(await seen()).toEqual(shown);
  await social.remove('/auth/me', leaver);
  expect((await seen()).slice(0, 2)).toEqual([404, 404]);
  expect((await seen())[3]).toBe(0);
  const { email, password } = leaver;
  const restored = await app.call('POST', '/v1/auth/restore', { body: { email, password } });
  expect(await seen()).toEqual(shown);
  expect([await countsOf(friend), await likesOf(agent.id, friend)]).toEqual([[1, 1], 1]);

  await app.call('DELETE', '/v1/auth/me', { as: restored.body.access_token });
  clock.advance(30 * dayMs + 1_000);
  await letTasksComeDue(app.db);
  await eventually(async () => (await app.db.query(`select from users where id = $1`, [leaver.id])).rows.length === 0, {
    what: 'the purge',
  });
  const { rows } = await app.db.query(
    `select t.name from (
       select 'follows' as name, follows::text as row from follows union all select 'likes', likes::text from likes
       union all select 'mutes', mutes::text from mutes union all select 'shares', shares::text from shares
       union all select 'activities', activities::text from activities union all select 'profiles', profiles::text from profiles
     ) t where t.row like '%' || $1 || '%'`,
    [leaver.id],
  );
  expect(rows).toEqual([]);
  expect(await countsOf(friend)).toEqual([0, 0]);
  const { rows: counted } = await app.db.query(
    `select coalesce((select like_count from agent_likes where agent_id = $1), 0)
       + coalesce((select sum(delta) from counter_notes where subject_id = $1), 0)::int as likes`,
    [agent.id],
  );
  expect(counted[0].likes).toBe(0);
});
