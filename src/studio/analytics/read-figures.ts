import type { Ctx } from '../../core/ctx.ts';
import type { Breakdown } from './analytics.input.ts';
import { type Counters, countersOf, numbersIn, summedFigures, summedParts, type SummedRow } from './figures.ts';
import { countedPeople, usedDays } from './people.ts';
import { queryValuesOf } from './query-values.ts';
import { type Release, releasedDays } from './release.ts';

export interface PeopleCount {
  people: number;
  newPeople: number;
}

/** A day or week of the series in which the agents were used. */
export interface UsedBucket extends PeopleCount {
  /** Used days, counted for each agent; how many of them are shown by themselves, and with those of whole weeks. */
  days: number;
  aloneDays: number;
  shownDays: number;
}

/** New people of shown days, and how many of them returned one and seven days later. */
export interface Returns {
  base1: number;
  base7: number;
  back1: number;
  back7: number;
}

/** Sums over all requested agents. Their number depends neither on the number of agents nor on that of versions. */
export interface SummedAnalytics {
  /** By the first day of the bucket. */
  buckets: ReadonlyMap<string, UsedBucket>;
  /** Counters of a bucket and release. */
  figures: readonly (Counters & { date: string; release: Release })[];
  /** Shown counters by version or source; null is the rest, which is too small. */
  parts: readonly (Counters & { label: string | null })[];
  total: PeopleCount & Returns;
}

// Unnamed on purpose: a plan for the usual one agent would be reused for a thousand.
const unnamed = '';

const statementOf = (by: Breakdown | null, hasLatency: boolean) => {
  const queryValues = queryValuesOf(by);
  const { groupOfUse } = queryValues;
  const parts = groupOfUse === null ? '' : `, ${summedParts(groupOfUse, hasLatency)}`;
  const selectParts = `
    union all select 'part', label, counts::text, first_words::text, reply_times::text from summed_parts`;
  return {
    name: unnamed,
    text: `
      with ${releasedDays(queryValues)}, ${usedDays}, ${countedPeople}, ${summedFigures(hasLatency)}${parts}
      select release as kind, to_char(bucket, 'YYYY-MM-DD') as name, counts::text, first_words::text as "firstWords",
        reply_times::text as "replyTimes"
      from summed_figures${groupOfUse === null ? '' : selectParts}
      union all
      select 'bucket', to_char(bucket, 'YYYY-MM-DD'),
        array[used, alone, shown, coalesce(people, 0), coalesce(new_people, 0)]::bigint[]::text, null, null
      from used_days left join people_of_buckets using (bucket)
      union all
      select 'total', null, array[people, new_people, base1, base7, back1, back7]::bigint[]::text, null, null
      from people_in_total`,
  };
};

const statements = {
  basic: statementOf(null, false),
  all: statementOf(null, true),
  version: statementOf('version', true),
  source: statementOf('source', true),
};

interface Row extends SummedRow {
  kind: Release | 'part' | 'bucket' | 'total';
  name: string | null;
}

interface Request {
  from: string;
  to: string;
  by: Breakdown | null;
  isWeekly: boolean;
  /** First day that is not aggregated in the weekly sums, and the first that is not complete yet. */
  summedUntil: string;
  openDay: string;
  /** Whether to read latencies, and the breakdown if requested. */
  isAdvanced: boolean;
}

/** Reads the figures of agents in a period, summed over the agents, from sums for settled weeks and rows for later days. */
export async function readFigures(ctx: Ctx, agentIds: readonly string[], request: Request): Promise<SummedAnalytics> {
  const { from, to, by, isWeekly, summedUntil, openDay, isAdvanced } = request;
  const statement = statements[isAdvanced ? (by ?? 'all') : 'basic'];
  const rows = await ctx.sql<Row>(statement, [agentIds, from, to, summedUntil, openDay, ctx.clock.now(), isWeekly]);
  const buckets = new Map<string, UsedBucket>();
  const figures: (Counters & { date: string; release: Release })[] = [];
  const parts: (Counters & { label: string | null })[] = [];
  let total = { people: 0, newPeople: 0, base1: 0, base7: 0, back1: 0, back7: 0 };
  for (const row of rows) {
    const { kind, name } = row;
    if (kind === 'bucket') buckets.set(name ?? '', bucketOf(row));
    else if (kind === 'total') total = totalOf(row);
    else if (kind === 'part') parts.push({ ...countersOf(row), label: name });
    else figures.push({ ...countersOf(row), date: name ?? '', release: kind });
  }
  return { buckets, figures, parts, total };
}

function bucketOf({ counts }: Row): UsedBucket {
  const [days = 0, aloneDays = 0, shownDays = 0, people = 0, newPeople = 0] = numbersIn(counts);
  return { days, aloneDays, shownDays, people, newPeople };
}

function totalOf({ counts }: Row): SummedAnalytics['total'] {
  const [people = 0, newPeople = 0, base1 = 0, base7 = 0, back1 = 0, back7 = 0] = numbersIn(counts);
  return { people, newPeople, base1, base7, back1, back7 };
}
