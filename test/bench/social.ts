import type pg from 'pg';
import { exploreAgents } from '../../src/agents/explore.ts';
import { readFeed } from '../../src/social/activities/feed.ts';
import { like } from '../../src/social/relations/likes.ts';
import { openInProcess, timesOf } from './lab/in-process.ts';
import { seed } from './lab/seed.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

/** The feed of a person who follows as many as one may, and many people who like one agent at once. */
export const rows: BenchRow[] = [
  { name: 'P33', title: 'a feed with 2,000 follows', measure: measureFeed },
  { name: 'P34', title: 'likes', measure: measureLikes },
];

const follows = 2_000;

const tail = '-0000-7000-8000-000000000000';
/** The id of the n-th person, and SQL that makes it. */
const idOf = (n: number): string => `usr_${n.toString(16).padStart(8, '0')}${tail}`;
const idSql = (n: string): string => `('usr_' || lpad(to_hex(${n}), 8, '0') || '${tail}')`;

async function measureFeed(bench: Bench): Promise<Figure[]> {
  const people = bench.isQuick ? 4_000 : 20_000;
  const activities = bench.isReference ? 10_000_000 : bench.isQuick ? 100_000 : 1_000_000;
  const { databaseUrl, db, userId } = await seed(bench);
  await addPeople(db, people);
  await db.query(
    `insert into agents (id, owner_id, name, instructions, model, is_public, trending_score, event_sequence, created_at, updated_at)
     select gen_random_uuid(), ${idSql('n')}, 'Agent ' || n, 'x', 'default', true, random(), 1, now(), now() from generate_series(1, $1::int) n`,
    [people],
  );
  await db.query(
    `insert into follows (follower_id, followee_id, created_at) select $1, ${idSql('n')}, now() from generate_series(1, $2::int) n`,
    [userId, follows],
  );
  await db.query(
    `insert into activities (id, actor_id, type, agent_id, created_at)
     select 'act_' || gen_random_uuid(), a.owner_id, 'agent_published', a.id, now() - n * (interval '7000000 seconds' / $1)
     from generate_series(1, $1::int) n join agents a on a.owner_id = ${idSql('(1 + n::bigint * 7919 % $2)::int')}`,
    [activities, people],
  );
  await db.query('vacuum analyze');
  const { ctxOf } = await openInProcess(bench, databaseUrl);
  const ctx = ctxOf(userId);
  const times = async (read: () => Promise<unknown>) => {
    await timesOf(10, read);
    return timesOf(bench.isQuick ? 40 : 200, read);
  };
  const first = await times(() => readFeed(ctx, { limit: 20 }));
  const explore = await times(() => exploreAgents(ctx, { sort: 'trending', limit: 20, counted: false }));
  let before: string | undefined;
  for (let page = 1; page < 50; page++) before = (await readFeed(ctx, { limit: 20, before })).data.at(-1)?.id;
  const deep = await times(() => readFeed(ctx, { limit: 20, before }));
  return [
    { what: `first page among ${activities} activities, p95`, value: first.p95Ms, unit: 'ms', goal: { atMost: 50 } },
    { what: "first page, p50 of explore's", value: first.p50Ms / explore.p50Ms, unit: '×', goal: { atMost: 3 } },
    { what: 'page 50, p50 of the first', value: deep.p50Ms / first.p50Ms, unit: '×', goal: { atMost: 1.2 } },
  ];
}

async function measureLikes(bench: Bench): Promise<Figure[]> {
  const people = bench.isQuick ? 2_000 : 10_000;
  const seeded = await seed(bench);
  const { databaseUrl, db } = seeded;
  const agents = await seeded.addAgents(100, { isPublic: true });
  await addPeople(db, people);
  const { ctxOf } = await openInProcess(bench, databaseUrl);
  const likesOf = async (agentOf: (n: number) => string, from: number): Promise<number> => {
    let next = from;
    const to = from + people / 2;
    const startedAt = performance.now();
    const work = async () => {
      for (let n = next++; n < to; n = next++) await like(ctxOf(idOf(n + 1)), agentOf(n));
    };
    await Promise.all(Array.from({ length: 16 }, work));
    return (people / 2 / (performance.now() - startedAt)) * 1_000;
  };
  const ofMany = await likesOf((n) => agents[n % agents.length] ?? '', 0);
  const ofOne = await likesOf(() => agents[0] ?? '', people / 2);
  return [
    { what: 'of one agent', value: ofOne, unit: '/s', goal: { atLeast: 2_000 } },
    { what: 'of one agent, of those of a hundred', value: ofOne / ofMany, unit: '×', goal: { atLeast: 0.9 } },
  ];
}

const addPeople = (db: pg.Pool, count: number): Promise<unknown> =>
  db.query(
    `insert into users (id, email, username, password_hash, plan, created_at, updated_at)
     select ${idSql('n')}, n || '@people.example', 'person' || n, '', 'plus', now(), now() from generate_series(1, $1::int) n`,
    [count],
  );
