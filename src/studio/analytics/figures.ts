import { minGroupSize } from './counted-person.ts';
import { bucketCount, emptyHistogram } from './histogram.ts';
import { bucketOfDay, values } from './query-values.ts';
import { releases } from './release.ts';
import { bitOfDay, hasDay } from './sums/day-bits.ts';

const counterColumns = {
  conversations: 'conversations',
  messages: 'messages',
  replies: 'replies',
  failed: 'failed',
  stopped: 'stopped',
  regenerated: 'regenerated',
  thumbsUp: 'thumbs_up',
  thumbsDown: 'thumbs_down',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
} as const;

type Counter = keyof typeof counterColumns;
const counterNames = Object.keys(counterColumns) as Counter[];

export interface Counters extends Record<Counter, number> {
  firstWords: number[];
  replyTimes: number[];
}

const { agents, from, to } = values;

const sumsOfCounters = `array[${Object.values(counterColumns)
  .map((column) => `sum(d.${column})`)
  .join(', ')}]::bigint[]`;
// The sum of each bucket by itself: to sum whole arrays, PostgreSQL would have to take each of them apart.
const sumOfHistograms = (column: string): string =>
  `array[${Array.from({ length: bucketCount }, (_, index) => `sum(d.${column}[${index + 1}])`).join(', ')}]::bigint[]`;

const noHistogram = 'null::bigint[]';
const sumsOf = (hasLatency: boolean): string => `
  ${sumsOfCounters} as counts, ${hasLatency ? sumOfHistograms('first_words') : noHistogram} as first_words,
  ${hasLatency ? sumOfHistograms('reply_times') : noHistogram} as reply_times`;

const ofPeriod = `d.agent_id = any (${agents}) and d.day between ${from} and ${to}`;
const isAlone = hasDay('b.alone', 'd.day');
const isOfWeek = hasDay('b.week', 'd.day');

/** A common table expression with the sums of the counters per bucket of the series and release. */
// Bucket and release are one number, because PostgreSQL would expect too many combinations of two, and sort all rows.
export const summedFigures = (hasLatency: boolean): string => `
  summed_figures as (
    select ${from} + cell / ${releases.length} as bucket, ${releaseOfCell} as release, ${sumsOf(hasLatency)}
    from (
      select (${bucketOfDay('d.day')} - ${from}) * ${releases.length}
          + case when ${isAlone} then 0 when ${isOfWeek} then 1 else 2 end as cell, d.*
      from agent_days d left join released_bits b on b.agent_id = d.agent_id where ${ofPeriod} offset 0
    ) d group by cell
  )`;
const releaseOfCell = `(array[${releases.map((release) => `'${release}'`).join(', ')}])[cell % ${releases.length} + 1]`;

/**
 * Returns common table expressions with the sums of the shown counters per version or source. If a day has groups that
 * are too small, these and the smallest of the others have the label null; otherwise a small group could be computed as
 * the difference from the whole day. Groups whose people are all purged have figures but no people, so they count as
 * empty.
 */
export const summedParts = (groupOfUse: string, hasLatency: boolean): string => `
  group_sizes as (
    select s.agent_id, s.day, g.key as "group", g.value::integer as people
    from summed s, jsonb_each_text(s.groups) g where s.release = 'alone'
    union all
    select agent_id, day, "group", sum(people)
    from (
      select distinct u.id, u.agent_id, u.day, u."group", u.people
      from recent_uses u join released_bits b using (agent_id) where u.counts and ${hasDay('b.alone', 'u.day')}
    ) u group by agent_id, day, "group"
  ), ranked_groups as (
    select agent_id, day, "group", size, min(size) over of_day as smallest,
      row_number() over (of_day order by size < ${minGroupSize}, size, "group") as place
    from (
      select distinct d.agent_id, d.day, ${groupOfUse} as "group"
      from agent_days d join released_bits b on b.agent_id = d.agent_id where ${ofPeriod} and ${isAlone}
    ) d left join group_sizes using (agent_id, day, "group")
    cross join lateral (select coalesce(people, 0) as size) sized
    window of_day as (partition by agent_id, day)
  ), labels as materialized (
    select agent_id, "group" as label, bit_or(${bitOfDay('day')}) as days from ranked_groups
    where size >= ${minGroupSize} and (smallest >= ${minGroupSize} or place > 1) group by agent_id, "group"
  ), summed_parts as (
    select label, ${sumsOf(hasLatency)}
    from (
      select case when ${hasDay('l.days', 'd.day')} then l.label end as label, d.*
      from agent_days d join released_bits b on b.agent_id = d.agent_id
      left join labels l on l.agent_id = d.agent_id and l.label = ${groupOfUse}
      where ${ofPeriod} and (${isAlone} or ${isOfWeek}) offset 0
    ) d group by label
  )`;

const zero = (): Counters => ({
  ...(Object.fromEntries(counterNames.map((name) => [name, 0])) as Record<Counter, number>),
  firstWords: emptyHistogram(),
  replyTimes: emptyHistogram(),
});

/** Returns the counters in a row with the columns of `sumsOf`, as text. */
export function countersOf({ counts, firstWords, replyTimes }: SummedRow): Counters {
  const sums = numbersIn(counts);
  return {
    ...(Object.fromEntries(counterNames.map((name, index) => [name, sums[index] ?? 0])) as Record<Counter, number>),
    firstWords: firstWords === null ? emptyHistogram() : numbersIn(firstWords),
    replyTimes: replyTimes === null ? emptyHistogram() : numbersIn(replyTimes),
  };
}

export interface SummedRow {
  counts: string;
  firstWords: string | null;
  replyTimes: string | null;
}

/**
 * Parses a PostgreSQL array such as `{1,2}`. A year has 35,000 numbers, and the driver's array parser is many times
 * slower.
 */
export const numbersIn = (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`) as number[];

/** Returns the sum of counters. It adds in place, because a year has hundreds of them. */
export function sumOf(all: readonly Counters[]): Counters {
  const sum = zero();
  for (const part of all) {
    for (const name of counterNames) sum[name] += part[name];
    addTo(sum.firstWords, part.firstWords);
    addTo(sum.replyTimes, part.replyTimes);
  }
  return sum;
}

function addTo(sum: number[], counts: readonly number[]): void {
  for (let bucket = 0; bucket < sum.length; bucket++) sum[bucket] = (sum[bucket] ?? 0) + (counts[bucket] ?? 0);
}
