import type { Counters } from './figures.ts';
import { latencyOf } from './histogram.ts';
import { type DayInterest, type Interest, noInterest } from './interest/interest.ts';
import type { PeopleCount, SummedAnalytics } from './read-figures.ts';

export interface Retention {
  retentionD1: number | null;
  retentionD7: number | null;
}

/** Figures of a period. Values are null if they rest on too few people or the plan does not include them. */
export type Figures = { [Metric in BasicMetric | AdvancedMetric]: number | null } & Retention &
  Interest & { suppressed: boolean };

type BasicMetric =
  | 'people'
  | 'newPeople'
  | 'returningPeople'
  | 'conversations'
  | 'messages'
  | 'replies'
  | 'failed'
  | 'stopped'
  | 'regenerated'
  | 'thumbsUp'
  | 'thumbsDown';
type AdvancedMetric =
  | 'firstWordsMsP50'
  | 'firstWordsMsP95'
  | 'replyMsP50'
  | 'replyMsP95'
  | 'inputTokens'
  | 'outputTokens';

/** The data from which the figures of a request are computed. */
export interface View extends SummedAnalytics {
  isAdvanced: boolean;
  /** Views and likes by day; empty unless the plan includes them. */
  interest: readonly DayInterest[];
}

export const noRetention: Retention = { retentionD1: null, retentionD7: null };

/** Returns the figures for released counters. Retention and interest are added by the caller. */
export function shownFigures(sum: Counters, { people, newPeople }: PeopleCount, isAdvanced: boolean): Figures {
  const { conversations, messages, replies, failed, stopped, regenerated, thumbsUp, thumbsDown } = sum;
  const basic = { conversations, messages, replies, failed, stopped, regenerated, thumbsUp, thumbsDown };
  const advanced = isAdvanced
    ? { ...latencyOf(sum), inputTokens: sum.inputTokens, outputTokens: sum.outputTokens }
    : noAdvanced;
  const counted = { people, newPeople, returningPeople: people - newPeople };
  return { ...counted, ...basic, ...advanced, ...noRetention, ...noInterest, suppressed: false };
}

export const noAdvanced = {
  firstWordsMsP50: null,
  firstWordsMsP95: null,
  replyMsP50: null,
  replyMsP95: null,
  inputTokens: null,
  outputTokens: null,
};

/** The figures of a group that is too small. */
export const suppressedFigures: Figures = {
  people: null,
  newPeople: null,
  returningPeople: null,
  conversations: null,
  messages: null,
  replies: null,
  failed: null,
  stopped: null,
  regenerated: null,
  thumbsUp: null,
  thumbsDown: null,
  ...noAdvanced,
  ...noRetention,
  ...noInterest,
  suppressed: true,
};
