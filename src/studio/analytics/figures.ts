import type { Ctx } from '../../core/ctx.ts';
import { addHistograms, emptyHistogram, quantileOf } from './histogram.ts';
import type { AgentDate } from './release.ts';

/** Counters of a day, by version or source if requested. */
export interface DayFigures extends Counters, AgentDate {
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
      d.first_words as "firstWords", d.reply_times as "replyTimes"
    from agent_days d where d.agent_id = any ($1) and d.day between $2 and $3`,
};

/** The counters of the agents' days in a period. */
export const readDayFigures = (
  ctx: Ctx,
  agentIds: readonly string[],
  { from, to, by }: { from: string; to: string; by: string | null },
): Promise<DayFigures[]> => ctx.sql<DayFigures>(read, [agentIds, from, to, by]);

const zero: Counters = {
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
  firstWords: [],
  replyTimes: [],
};

export const sumOf = (all: readonly Counters[]): Counters =>
  all.reduce(
    (sum, day) => ({
      conversations: sum.conversations + day.conversations,
      messages: sum.messages + day.messages,
      replies: sum.replies + day.replies,
      failed: sum.failed + day.failed,
      stopped: sum.stopped + day.stopped,
      regenerated: sum.regenerated + day.regenerated,
      thumbsUp: sum.thumbsUp + day.thumbsUp,
      thumbsDown: sum.thumbsDown + day.thumbsDown,
      inputTokens: sum.inputTokens + day.inputTokens,
      outputTokens: sum.outputTokens + day.outputTokens,
      firstWords: addHistograms(sum.firstWords, day.firstWords),
      replyTimes: addHistograms(sum.replyTimes, day.replyTimes),
    }),
    { ...zero, firstWords: emptyHistogram(), replyTimes: emptyHistogram() },
  );

const [median, slowest] = [0.5, 0.95];

/** Milliseconds that half and 95 % of the replies did not exceed. */
export const latencyOf = ({ firstWords, replyTimes }: Counters) => ({
  firstWordsMsP50: quantileOf(firstWords, median),
  firstWordsMsP95: quantileOf(firstWords, slowest),
  replyMsP50: quantileOf(replyTimes, median),
  replyMsP95: quantileOf(replyTimes, slowest),
});
