import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../src/core/ctx.ts';
import { inTransaction } from '../../src/core/database/transaction.ts';
import { newId } from '../../src/core/ids.ts';
import { like, unlike } from '../../src/social/relations/likes.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Named, socialOf } from '../support/social.ts';

let app: TestApp;
let owner: Named;
let agentId: string;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  owner = await socialOf(app).person('owner');
  agentId = (await app.createAgent(owner.token, { is_public: true })).id;
});
afterAll(() => app.close());

const ctxOf = (userId: string): Ctx =>
  app.app.newCtx({ kind: 'user', userId, plan: 'free', scopes: [], sessionId: null, apiKeyId: null, ip: null });

async function addPeople(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('usr_'));
  await app.db.query(
    `insert into users (id, email, username, password_hash, created_at, updated_at)
     select id, id || '@example.com', left(id, 40), '', now(), now() from unnest($1::text[]) id`,
    [ids],
  );
  return ids;
}

/** Returns `done`, or the code of the error. */
const outcomesOf = async (writes: readonly Promise<void>[]): Promise<string[]> =>
  (await Promise.allSettled(writes)).map((outcome) => (outcome.status === 'fulfilled' ? 'done' : outcome.reason.code));

const likedBy = async (): Promise<string[]> =>
  (await app.db.query(`select user_id from likes where agent_id = $1`, [agentId])).rows.map(({ user_id }) => user_id);
const writesOf = async (userIds: readonly string[]): Promise<number[]> =>
  (await app.db.query(`select writes from social_days where user_id = any ($1)`, [userIds])).rows.map((r) => r.writes);
const likeCount = async (): Promise<number> =>
  (
    await app.graphql('query ($id: ID!) { agent(id: $id) { likeCount } }', {
      as: owner.token,
      variables: { id: agentId },
    })
  ).body.data.agent.likeCount;

describe('concurrent likes', () => {
  test('share commits, and each counts against its account’s limit and for its agent', async () => {
    const people = await addPeople(100);
    expect(new Set(await outcomesOf(people.map((id) => like(ctxOf(id), agentId))))).toEqual(new Set(['done']));
    expect(new Set(await likedBy())).toEqual(new Set(people));
    expect(await writesOf(people)).toEqual(people.map(() => 1));
    expect(await likeCount()).toBe(100);
    const { rows } = await app.db.query(`select count(distinct xmin::text)::int as n from likes where agent_id = $1`, [
      agentId,
    ]);
    expect(rows[0].n).toBeLessThan(20);
    await outcomesOf(people.slice(40).map((id) => unlike(ctxOf(id), agentId)));
    expect(await likeCount()).toBe(40);
    expect(new Set(await likedBy())).toEqual(new Set(people.slice(0, 40)));
  });

  test('are refused one by one, each for its own reason', async () => {
    const people = await addPeople(100);
    const hidden = await app.createAgent(owner.token);
    const [blocked, restricted, spent, gone] = [people[10], people[20], people[30], people[40]] as [
      string,
      string,
      string,
      string,
    ];
    await app.db.query(`insert into blocks (blocker_id, blocked_id, created_at) values ($1, $2, now())`, [
      owner.id,
      blocked,
    ]);
    await app.db.query(
      `insert into moderation_restrictions (user_id, case_id, created_at) values ($1, 'agent:x', now())`,
      [restricted],
    );
    await app.db.query(
      `insert into social_days (user_id, day, writes) values ($1, (now() at time zone 'utc')::date, 1000)`,
      [spent],
    );
    // An account purged after its credential was checked causes a foreign key violation.
    await app.db.query(`delete from users where id = $1`, [gone]);
    const expected = new Map([
      [10, 'not_found'],
      [20, 'forbidden'],
      [30, 'rate_limited'],
      [40, 'not_found'],
      [50, 'not_found'],
      [60, 'not_found'],
      [70, 'not_found'],
    ]);
    const targets = new Map([
      [50, hidden.id],
      [60, '00000000-0000-7000-8000-000000000000'],
      [70, 'nonsense'],
    ]);
    const outcomes = await outcomesOf(people.map((id, n) => like(ctxOf(id), targets.get(n) ?? agentId)));
    expect(outcomes).toEqual(people.map((_, n) => expected.get(n) ?? 'done'));
    const accepted = people.filter((_, n) => !expected.has(n));
    expect(new Set(await likedBy())).toEqual(new Set(accepted));
    expect(await likeCount()).toBe(accepted.length);
    // Refused likes do not count.
    expect(await writesOf(people.filter((id, n) => expected.has(n) && id !== spent))).toEqual([]);
    expect(await writesOf(accepted)).toEqual(accepted.map(() => 1));
  });

  test('of one account are counted one by one, up to the limit of its day', async () => {
    const [fan = ''] = await addPeople(1);
    expect(await outcomesOf(Array.from({ length: 8 }, () => like(ctxOf(fan), agentId)))).toEqual(
      Array.from({ length: 8 }, () => 'done'),
    );
    expect([await likedBy(), await likeCount(), await writesOf([fan])]).toEqual([[fan], 1, [8]]);
    await app.db.query(`update social_days set writes = 990 where user_id = $1`, [fan]);
    const outcomes = await outcomesOf(
      Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? like : unlike)(ctxOf(fan), agentId)),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(20);
    expect(await writesOf([fan])).toEqual([1_000]);
    expect(await likeCount()).toBe((await likedBy()).length);
  });

  test('are part of the transaction in which they are made', async () => {
    const [fan = ''] = await addPeople(1);
    const undone = inTransaction(ctxOf(fan), async (tx) => {
      await like(tx, agentId);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect([await likedBy(), await writesOf([fan])]).toEqual([[], []]);
  });
});
