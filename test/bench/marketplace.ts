import { exploreAgents } from '../../src/agents/explore.ts';
import { listMarketplace } from '../../src/marketplace/marketplace.ts';
import { openInProcess, timesOf } from './lab/in-process.ts';
import { seed } from './lab/seed.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

/** Number of public agents that the goal requires. */
const agents = 150_000;

/** The first page of the marketplace, compared with that of explore, which reads less. */
export const rows: BenchRow[] = [{ name: 'P32', title: 'the marketplace among 150,000 agents', measure }];

async function measure(bench: Bench): Promise<Figure[]> {
  const { databaseUrl, db, userId } = await seed(bench);
  await fill(db, userId);
  const { ctxOf } = await openInProcess(bench, databaseUrl);
  const times = async (read: () => Promise<unknown>) => {
    await timesOf(10, read);
    return timesOf(bench.isLong ? 200 : 40, read);
  };
  const ctx = ctxOf(userId);
  const figures: Figure[] = [];
  for (const sort of ['trending', 'popular', 'recent']) {
    const explore = await times(() => exploreAgents(ctx, { sort, counted: false }));
    const marketplace = await times(() => listMarketplace(ctx, { sort, counted: false }));
    const value = marketplace.p50Ms / explore.p50Ms;
    figures.push({ what: `first page, ${sort}, p50 of explore's`, value, unit: '×', goal: { atMost: 1.5 } });
  }
  const reads: [string, object, number][] = [
    ['by rating', { sort: 'rating' }, 50],
    ['a rare tag', { tag: 'rare-tag' }, 100],
    ['a language', { language: 'fr' }, 250],
    ['a frequent word, by relevance', { q: 'explains' }, 1_000],
    ['frequent words of listings, by relevance', { q: frequentWords.join(' ') }, 1_000],
    ['a rare word', { q: 'xylophonist' }, 250],
    ['offset 1,000', { offset: 1_000 }, 100],
  ];
  for (const [what, filter, atMost] of reads) {
    const { p95Ms } = await times(() => listMarketplace(ctx, { ...filter, counted: false }));
    figures.push({ what: `${what}, p95`, value: p95Ms, unit: 'ms', goal: { atMost } });
  }
  return figures;
}

/** Words that each long listing contains several times. */
const frequentWords = ['word1', 'word2', 'word3', 'word4', 'word5'];

/** A hundred texts of the maximum length, in which few words are frequent and most are rare. */
const longTexts = `
  select k, left('Explains ${frequentWords.join(' ')} ' || string_agg('word' || floor(5000 ^ random())::int, ' '), 4000) as about
  from generate_series(0, 99) k cross join generate_series(1, 600) group by k`;

/** Inserts agents. Every third has a listing with a text of the maximum length, and every tenth is rated. */
async function fill(db: { query: (text: string, values?: unknown[]) => Promise<unknown> }, userId: string) {
  await db.query(
    `insert into agents (id, owner_id, name, description, instructions, model, is_public, category, message_count, trending_score,
       rating_score, event_sequence, created_at, updated_at)
     select gen_random_uuid(), $1, 'Agent ' || n, 'Explains number ' || n, 'x', 'default', true, 'tutor', n % 5000, random() * 9,
       case when n % 10 = 0 then 1 + random() * 4 else 0 end, 1, now() - n * interval '1 second', now()
     from generate_series(1, ${agents}) n`,
    [userId],
  );
  await db.query(
    `insert into listings (agent_id, slug, about, tags, language, created_at, updated_at)
     select id, 's-' || id, t.about, case when random() < 0.001 then '{rare-tag}'::text[] else '{common}' end,
       case when random() < 0.02 then 'fr' else 'en' end, now(), now()
     from agents join (${longTexts}) t on t.k = message_count % 100 where message_count % 3 = 0`,
  );
  await db.query(
    `insert into listing_stats (agent_id, people) select id, message_count % 1000 from agents where rating_score > 0`,
  );
  for (const table of ['agents', 'listings', 'listing_stats', 'users']) await db.query(`vacuum (analyze) ${table}`);
}
