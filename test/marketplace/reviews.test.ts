import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { runRecurring } from '../support/jobs.ts';
import { withModerator } from '../support/moderators.ts';

let app: TestApp;
let owner: Account;
beforeAll(async () => {
  app = await startTestApp();
  owner = await app.signUp({ plan: 'creator', username: 'maker' });
});
afterAll(() => app.close());

const publish = (fields: object = {}) => app.createAgent(owner.token, { is_public: true, ...fields });
const listingOf = async (id: string, as?: string) =>
  (await app.call('GET', `/v1/marketplace/agents/${id}`, as ? { as } : {})).body;
const review = (id: string, as: string, body: object) =>
  app.call('PUT', `/v1/marketplace/agents/${id}/review`, { as, body });
const reviewsOf = async (id: string) => (await app.call('GET', `/v1/marketplace/agents/${id}/reviews`)).body;
const systemCtx = () => app.app.newCtx({ kind: 'system' });
const run = (kind: Parameters<typeof runRecurring>[0]) => runRecurring(kind, systemCtx);

/** Signs up an account that has sent five messages to the agent. */
async function experienced(agentId: string, { isYoung = false } = {}): Promise<Account> {
  const account = await app.signUp();
  const { body } = await app.call('POST', '/v1/conversations', { as: account.token, body: { agent_id: agentId } });
  await app.db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select 'msg_' || gen_random_uuid(), $1, $2, 1000 + n, 'user', 'Hello.', now() from generate_series(1, 5) n`,
    [body.id, account.id],
  );
  if (!isYoung)
    await app.db.query(`update users set created_at = created_at - interval '2 days' where id = $1`, [account.id]);
  return account;
}

describe('a review', () => {
  test('needs five own messages with another user’s agent, and replaces the earlier one', async () => {
    const agent = await publish({ name: 'Judged' });
    const stranger = await app.signUp();
    const refused = [
      await review(agent.id, stranger.token, { rating: 5 }),
      await review(agent.id, owner.token, { rating: 5 }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(refused.map(() => [403, 'forbidden']));
    const person = await experienced(agent.id);
    const first = await review(agent.id, person.token, { rating: 2, text: '  <b>Meh</b>  ' });
    expect(first.body).toMatchObject({ agent_id: agent.id, rating: 2, text: '<b>Meh</b>', owner_reply: null });
    const second = await review(agent.id, person.token, { rating: 4 });
    expect(second.body).toMatchObject({ id: first.body.id, rating: 4, text: null });
    expect(await reviewsOf(agent.id)).toMatchObject({ total: 1, data: [{ id: first.body.id, rating: 4 }] });
    expect((await listingOf(agent.id, person.token)).my_review).toMatchObject({ id: first.body.id, rating: 4 });
    for (const rating of [0, 6, 2.5]) expect((await review(agent.id, person.token, { rating })).status).toBe(400);
    const { rows } = await app.db.query(
      `select data from outbox_events where account_id = $1 and type = 'review.created' and data->>'agent_id' = $2`,
      [owner.id, agent.id],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(person.id);
    const gone = () => app.call('DELETE', `/v1/marketplace/agents/${agent.id}/review`, { as: person.token });
    const [one, two] = [await gone(), await gone()];
    expect([one.status, one.body, two.body]).toEqual([200, { id: agent.id, deleted: true }, one.body]);
    expect((await reviewsOf(agent.id)).total).toBe(0);
  });

  test('is refused when it is flagged, and published when the check is down', async () => {
    const agent = await publish({ name: 'Checked' });
    const person = await experienced(agent.id);
    const flagged = await review(agent.id, person.token, { rating: 1, text: '[[flag:harassment]]' });
    expect([flagged.status, flagged.body.error.details]).toMatchObject([
      400,
      [{ field: 'text', code: 'content_refused' }],
    ]);
    app.model.script({ endpoint: 'moderations', status: 500, times: 9 });
    expectStatus(await review(agent.id, person.token, { rating: 1, text: '[[flag:harassment]]' }), 200);
    app.model.reset();
    const marks = () => app.db.query(`select marks from moderation_cases where subject_type = 'review'`);
    await eventually(async () => (await marks()).rows[0]?.marks.includes('harassment'), { timeoutMs: 60_000 });
  });

  test('that moderators removed stays removed when its author deletes it and writes another, until it is restored', async () => {
    const agent = await publish({ name: 'Defended' });
    const [person, other] = [await experienced(agent.id), await experienced(agent.id)];
    const { id } = (await review(agent.id, person.token, { rating: 1, text: 'Bad.' })).body;
    const gone = (await review(agent.id, other.token, { rating: 2 })).body.id as string;
    const moderator = await app.signUp();
    const desk = await withModerator(app, moderator);
    const decide = (subject_id: string, action: string) => {
      const body = { subject_type: 'review', subject_id, action, reason: 'spam', statement: 'Bought.' };
      return desk.call('POST', '/v1/moderation/decisions', { as: moderator.token, body });
    };
    const remove = ({ token }: Account) =>
      app.call('DELETE', `/v1/marketplace/agents/${agent.id}/review`, { as: token });
    const left = async () =>
      (await app.db.query('select id, text from reviews where agent_id = $1 order by created_at', [agent.id])).rows;
    for (const removed of [id, gone]) expectStatus(await decide(removed, 'remove'), 201);
    for (const author of [person, other]) expectStatus(await remove(author), 200);
    expect((await listingOf(agent.id, person.token)).my_review).toBeNull();
    expect(await left()).toEqual([
      { id, text: null },
      { id: gone, text: null },
    ]);
    const again = await review(agent.id, person.token, { rating: 1, text: 'Still bad.' });
    expect([again.status, again.body.id]).toEqual([200, id]);
    expect((await reviewsOf(agent.id)).total).toBe(0);

    for (const restored of [id, gone]) expectStatus(await decide(restored, 'restore'), 201);
    await desk.close();
    expect(await reviewsOf(agent.id)).toMatchObject({ total: 1, data: [{ id, text: 'Still bad.' }] });
    expect(await left()).toEqual([{ id, text: 'Still bad.' }]);
  });

  test('is replied to by the owner of the agent alone', async () => {
    const agent = await publish({ name: 'Answering' });
    const person = await experienced(agent.id);
    const { id } = (await review(agent.id, person.token, { rating: 5, text: 'Good.' })).body;
    const reply = (as: string, text: string | null) =>
      app.call('PUT', `/v1/marketplace/reviews/${id}/reply`, { as, body: { text } });
    expect((await reply(person.token, 'Mine')).body.error.code).toBe('forbidden');
    expect((await reply(owner.token, 'Thank you.')).body.owner_reply).toBe('Thank you.');
    expect((await reviewsOf(agent.id)).data[0]).toMatchObject({ owner_reply: 'Thank you.', text: 'Good.' });
    expect((await reply(owner.token, null)).body.owner_reply).toBeNull();
  });
});

describe('a rating', () => {
  test('is null below three reviews, then drawn towards the mean; young accounts count later, removed reviews do not', async () => {
    const agent = await publish({ name: 'Rated' });
    const people = await Promise.all([experienced(agent.id), experienced(agent.id)]);
    const puppets = await Promise.all([1, 2, 3, 4].map(() => experienced(agent.id, { isYoung: true })));
    const ids = await Promise.all(
      [...people, ...puppets].map(
        async ({ token }) => (await review(agent.id, token, { rating: 5 })).body.id as string,
      ),
    );
    const rating = () =>
      eventually(async () => {
        await run('marketplace.aggregate');
        const { rows } = await app.db.query('select 1 from listing_notes where agent_id = $1', [agent.id]);
        return rows.length === 0 ? listingOf(agent.id) : null;
      });
    expect(await rating()).toMatchObject({ review_count: 6, rating: null });
    await app.db.query(`update users set created_at = created_at - interval '25 hours' where id = any ($1)`, [
      puppets.map(({ id }) => id),
    ]);
    await run('marketplace.count-ratings');
    expect(await rating()).toMatchObject({ review_count: 6, rating: 4.32 });
    const moderator = await app.signUp();
    const desk = await withModerator(app, moderator);
    const body = { subject_type: 'review', subject_id: ids[0], action: 'remove', reason: 'spam', statement: 'Bought.' };
    expectStatus(await desk.call('POST', '/v1/moderation/decisions', { as: moderator.token, body }), 201);
    await desk.close();
    expect(await rating()).toMatchObject({ review_count: 5, rating: 4.25 });
    expect((await reviewsOf(agent.id)).total).toBe(5);
    expect((await app.call('GET', '/v1/marketplace?sort=rating&limit=1')).body.data[0].name).toBe('Rated');

    await app.db.query('update listing_stats set reviews = 99, rating_sum = 1 where agent_id = $1', [agent.id]);
    await run('marketplace.recount');
    // The app's worker may have claimed the task.
    await expect.poll(() => listingOf(agent.id), { timeout: 40_000 }).toMatchObject({ review_count: 5, rating: 4.25 });
  });
});

describe('counts of a listing', () => {
  const sumsOf = async (agentId: string) => {
    const { rows } = await app.db.query(
      `select sum(reviews)::integer as reviews, sum(ratings)::integer as ratings, sum(rating_sum)::integer as "ratingSum"
       from (select agent_id, reviews, ratings, rating_sum from listing_stats
         union all select agent_id, reviews, ratings, rating_sum from listing_notes) s where agent_id = $1`,
      [agentId],
    );
    return rows[0];
  };

  test('stay right when a rating begins to count while its author changes it', async () => {
    const agent = await publish({ name: 'Raced' });
    const person = await experienced(agent.id, { isYoung: true });
    const { id } = (await review(agent.id, person.token, { rating: 5 })).body;
    const job = await app.db.connect();
    await job.query('begin');
    await job.query('update reviews set is_counted = true where id = $1', [id]);
    await job.query(`insert into listing_notes (agent_id, ratings, rating_sum, created_at) values ($1, 1, 5, now())`, [
      agent.id,
    ]);
    const changing = review(agent.id, person.token, { rating: 3 });
    await eventually(async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await app.db.query(waiting)).rows.length > 0;
    });
    await job.query('commit');
    job.release();
    expectStatus(await changing, 200);
    expect(await sumsOf(agent.id)).toEqual({ reviews: 1, ratings: 1, ratingSum: 3 });
  });

  test('that drifted are corrected and reported, also when the last change was a deletion', async () => {
    const agent = await publish({ name: 'Drifted' });
    const people = await Promise.all([experienced(agent.id), experienced(agent.id)]);
    for (const { token } of people) await review(agent.id, token, { rating: 4 });
    const aggregated = () =>
      eventually(async () => {
        await run('marketplace.aggregate');
        return (await app.db.query('select from listing_notes where agent_id = $1', [agent.id])).rows.length === 0;
      });
    const drifted = async () =>
      /^marketplace_recount_drifted (\d+)$/m.exec(await app.send('GET', '/metrics').then((r) => r.text()))?.[1];
    await aggregated();
    await run('marketplace.recount');
    await eventually(async () => (await drifted()) === '0');
    await app.call('DELETE', `/v1/marketplace/agents/${agent.id}/review`, { as: people[0]?.token ?? '' });
    await aggregated();
    await app.db.query('update listing_stats set reviews = 7 where agent_id = $1', [agent.id]);
    await app.db.query(`update reviews set updated_at = now() - interval '3 days' where agent_id = $1`, [agent.id]);
    await run('marketplace.recount');
    await eventually(async () => (await drifted()) === '1');
    expect(await sumsOf(agent.id)).toEqual({ reviews: 1, ratings: 1, ratingSum: 4 });
    await run('marketplace.recount');
    await eventually(async () => (await drifted()) === '0');
  });

  test('round people down, null below ten, without the owner; views count once per day and network, for the owner only', async () => {
    const agent = await publish({ name: 'Busy' });
    const use = async (count: number) => {
      const accounts = await Promise.all(Array.from({ length: count }, () => app.signUp()));
      await app.db.query(
        `insert into agent_day_users (agent_id, day, subject, version_number, source, user_id, messages)
         select $1, (now() at time zone 'utc')::date, id, 1, 'direct', id, 1 from unnest($2::text[]) id`,
        [agent.id, [...accounts.map(({ id }) => id), owner.id].slice(0, count)],
      );
      await run('marketplace.count-people');
    };
    await use(9);
    expect((await listingOf(agent.id)).people).toBeNull();
    await use(4);
    // The app's worker may have claimed the task before.
    await eventually(async () => {
      await run('marketplace.count-people');
      return (await listingOf(agent.id)).people === 10;
    });
    await listingOf(agent.id);
    await eventually(async () => {
      await run('marketplace.aggregate');
      return (await listingOf(agent.id, owner.token)).views === 1;
    });
    expect(await listingOf(agent.id)).not.toHaveProperty('views');
  });
});

describe('a banner', () => {
  test('of the owner is shown on a listing, and cleared with its image', async () => {
    const agent = await publish({ name: 'Decorated' });
    const made = await app.call('POST', '/v1/images', {
      as: owner.token,
      body: { kind: 'banner', prompt: 'Hills.', agent_id: agent.id, apply: true },
    });
    const { id } = made.body.data[0];
    const url = await eventually(async () => (await listingOf(agent.id)).banner_url as string | null);
    const image = (await app.call('GET', `/v1/images/${id}`, { as: owner.token })).body;
    expect([url, image.expires_at]).toEqual([image.urls.large, null]);
    expect((await app.call('DELETE', `/v1/images/${id}`, { as: owner.token })).body.error.message).toContain(
      'Decorated',
    );
    expectStatus(await app.call('DELETE', `/v1/images/${id}?force=true`, { as: owner.token }), 200);
    expect((await listingOf(agent.id)).banner_url).toBeNull();
  });
});
