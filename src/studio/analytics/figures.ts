import type { Ctx } from '../../core/ctx.ts';
import { emptyHistogram, quantileOf } from './histogram.ts';
import { type KeyedDay, keyOfDay } from './release.ts';

/** Counters of a day of an agent, by version or source if requested. */
export interface DayFigures extends Counters, KeyedDay {
  group: string | null;
}

export interface Counters {
  conversations: number;
  messages: number;
  replies: number;
  failed: number;
  stopped: number;
  regenerated: number;
  thumbsUp: number;
  thumbsDown: number;
  inputTokens: number;
  outputTokens: number;
  firstWords: number[];
  replyTimes: number[];
}

const read = {
  name: 'studio_day_figures',
  text: `
    select d.agent_id as "agentId", to_char(d.day, 'YYYY-MM-DD') as day,
      case $4 when 'version' then d.version_number::text when 'source' then d.source end as "group",
      d.conversations, d.messages, d.replies, d.failed, d.stopped, d.regenerated, d.thumbs_up as "thumbsUp",
      d.thumbs_down as "thumbsDown", d.input_tokens as "inputTokens", d.output_tokens as "outputTokens",
      d.first_words::text as "firstWords", d.reply_times::text as "replyTimes"
    from agent_days d where d.agent_id = any ($1) and d.day between $2 and $3`,
};

type Row = Omit<DayFigures, 'key' | 'firstWords' | 'replyTimes'> & { firstWords: string; replyTimes: string };

/**
 * Parses a PostgreSQL array such as `{1,2}`. A year has 35,000 numbers, and the driver's array parser is many times
 * slower.
 */
const numbersIn = (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`) as number[];

/** Returns the daily counters of the agents. Both ends of the period are inclusive. */
export async function readDayFigures(
  ctx: Ctx,
  agentIds: readonly string[],
  { from, to, by }: { from: string; to: string; by: string | null },
): Promise<DayFigures[]> {
  const rows = await ctx.sql<Row>(read, [agentIds, from, to, by]);
  return rows.map((row) => ({
    ...row,
    key: keyOfDay(row),
    firstWords: numbersIn(row.firstWords),
    replyTimes: numbersIn(row.replyTimes),
  }));
}

const counterNames = [
  'conversations',
  'messages',
  'replies',
  'failed',
  'stopped',
  'regenerated',
  'thumbsUp',
  'thumbsDown',
  'inputTokens',
  'outputTokens',
] as const;

const zero = (): Counters => ({
  conversations: 0,
  messages: 0,
  replies: 0,
  failed: 0,
  stopped: 0,
  regenerated: 0,
  thumbsUp: 0,
  thumbsDown: 0,
  inputTokens: 0,
  outputTokens: 0,
  firstWords: emptyHistogram(),
  replyTimes: emptyHistogram(),
});

/** Returns the sum of counters. It adds in place, because a year has hundreds of them. */
export function sumOf(all: readonly Counters[]): Counters {
  const sum = zero();
  for (const day of all) {
    for (const name of counterNames) sum[name] += day[name];
    addTo(sum.firstWords, day.firstWords);
    addTo(sum.replyTimes, day.replyTimes);
  }
  return sum;
}

function addTo(sum: number[], counts: readonly number[]): void {
  for (let bucket = 0; bucket < sum.length; bucket++) sum[bucket] = (sum[bucket] ?? 0) + (counts[bucket] ?? 0);
}

const [median, slowest] = [0.5, 0.95];

/** Returns the median and the 95th percentile of latencies in milliseconds. */
export const latencyOf = ({ firstWords, replyTimes }: Counters) => ({
  firstWordsMsP50: quantileOf(firstWords, median),
  firstWordsMsP95: quantileOf(firstWords, slowest),
  replyMsP50: quantileOf(replyTimes, median),
  replyMsP95: quantileOf(replyTimes, slowest),
});
