import type pg from 'pg';
import { exploreAgents } from '../../src/agents/explore.ts';
import { readFeed } from '../../src/social/activities/feed.ts';
import { like } from '../../src/social/relations/likes.ts';
import { openInProcess, timesInTurn } from './lab/in-process.ts';
import { seed } from './lab/seed.ts';
import { sizeFor } from './lab/sizes.ts';
import { withoutIndexes } from './lab/without-indexes.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

/** The feed of a person who follows the maximum number of accounts, and many people who like one agent at once. */
export const rows: BenchRow[] = [
  { name: 'P33', title: 'a feed with 2,000 follows', measure: measureFeed },
  { name: 'P34', title: 'likes', measure: measureLikes },
];

const follows = 2_000;

const tail = '-0000-7000-8000-000000000000';
/** The id of the n-th person, and SQL that computes it. */
const idOf = (n: number): string => `usr_${n.toString(16).padStart(8, '0')}${tail}`;
const idSql = (n: string): string => `('usr_' || lpad(to_hex(${n}), 8, '0') || '${tail}')`;
/** SQL: the id of the agent of the n-th person. */
const agentSql = (n: string): string => `(lpad(to_hex(${n}), 8, '0') || '${tail}')`;

/**
 * One reader follows a tenth of the active people. The other follows people with little and old activity, behind
 * millions of newer activities of others.
 */
async function measureFeed(bench: Bench): Promise<Figure[]> {
  const people = bench.isQuick ? 4_000 : 20_000;
  const activities = sizeFor(bench, { quick: 100_000, usual: 1_000_000, reference: 10_000_000 });
  const seeded = await seed(bench);
  const { databaseUrl, db, userId: reader } = seeded;
  const { userId: readerOfQuiet } = await seeded.addUser();
  await addPeople(db, people + follows);
  await db.query(
    `insert into agents (id, owner_id, name, instructions, model, is_public, trending_score, event_sequence, created_at, updated_at)
     select ${agentSql('n')}, ${idSql('n')}, 'Agent ' || n, 'x', 'default', true, random(), 1, now(), now()
     from generate_series(1, $1::int) n`,
    [people + follows],
  );
  const follow = `insert into follows (follower_id, followee_id, created_at) select $1, ${idSql('n')}, now()`;
  await db.query(`${follow} from generate_series(1, $2::int) n`, [reader, follows]);
  await db.query(`${follow} from generate_series($2::int + 1, $2 + $3) n`, [readerOfQuiet, people, follows]);
  await withoutIndexes(db, 'activities', async (client) => {
    const insert = `
      insert into activities (id, actor_id, type, agent_id, created_at)
      select 'act_' || lpad(to_hex(n), 8, '0') || '${tail}', ${idSql('person')}, 'agent_published', ${agentSql('person')}, created_at`;
    await client.query(
      `${insert} from (
         select $1 - n as n, (1 + n::bigint * 7919 % $2)::int as person, now() - n * (interval '7000000 seconds' / $1) as created_at
         from generate_series(1, $1::int) n) made`,
      [activities, people],
    );
    await client.query(
      `${insert} from (
         select $1 + n as n, $2 + 1 + n % $3 as person, now() - interval '7000000 seconds' - n * interval '1 second' as created_at
         from generate_series(1, 2 * $3::int) n) made`,
      [activities, people, follows],
    );
  });
  await db.query('vacuum analyze');
  const { ctxOf } = await openInProcess(bench, databaseUrl);
  const ctx = ctxOf(reader);
  let before: string | undefined;
  for (let page = 1; page < 50; page++) before = (await readFeed(ctx, { limit: 20, before })).data.at(-1)?.id;
  const reads = {
    explore: () => exploreAgents(ctx, { sort: 'trending', limit: 20, counted: false }),
    first: () => readFeed(ctx, { limit: 20 }),
    deep: () => readFeed(ctx, { limit: 20, before }),
    quiet: () => readFeed(ctxOf(readerOfQuiet), { limit: 20 }),
  };
  await timesInTurn(10, reads);
  const { explore, first, deep, quiet } = await timesInTurn(bench.isQuick ? 40 : 200, reads);
  return [
    { what: `first page among ${activities} activities, p95`, value: first.p95Ms, unit: 'ms', goal: { atMost: 50 } },
    { what: "first page, p50 of explore's", value: first.p50Ms / explore.p50Ms, unit: '×', goal: { atMost: 3 } },
    { what: 'page 50, p50 of the first', value: deep.p50Ms / first.p50Ms, unit: '×', goal: { atMost: 1.2 } },
    { what: 'of those who did little, p95', value: quiet.p95Ms, unit: 'ms', goal: { atMost: 50 } },
  ];
}

async function measureLikes(bench: Bench): Promise<Figure[]> {
  const people = bench.isQuick ? 2_000 : 10_000;
  const seeded = await seed(bench);
  const { databaseUrl, db } = seeded;
  const agents = await seeded.addAgents(100, { isPublic: true });
  await addPeople(db, people);
  // The pool size of a service process, so that concurrent commits share a flush to disk as they do in practice.
  const { ctxOf } = await openInProcess(bench, databaseUrl, { poolSize: 20 });
  const likesOf = async (agentOf: (n: number) => string, from: number): Promise<number> => {
    let next = from;
    const to = from + people / 2;
    const startedAt = performance.now();
    const work = async () => {
      for (let n = next++; n < to; n = next++) await like(ctxOf(idOf(n + 1)), agentOf(n));
    };
    await Promise.all(Array.from({ length: 64 }, work));
    return (people / 2 / (performance.now() - startedAt)) * 1_000;
  };
  const ofMany = await likesOf((n) => agents[n % agents.length] ?? '', 0);
  const ofOne = await likesOf(() => agents[0] ?? '', people / 2);
  const { rows: kept } = await db.query<{ likes: number }>('select count(*)::int as likes from likes');
  if (kept[0]?.likes !== people) throw new Error(`${kept[0]?.likes} of ${people} likes were written`);
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
