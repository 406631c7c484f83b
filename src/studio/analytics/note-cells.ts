import type { FinalState } from './generation-end.ts';
import { addHistograms, bucketOf, emptyHistogram } from './histogram.ts';

/** A generation that ended, or a rating, with the data for its counters. */
export interface NotedReply {
  userId: string;
  subject: string;
  versionNumber: number;
  isRating: boolean;
  /** Whether it is a rating of a reply from an earlier day. */
  isLate: boolean;
  thumbsUp: number;
  thumbsDown: number;
  state: FinalState;
  isRegeneration: boolean;
  /**
   * Whether it is the first attempt to reply to a message. `isConversation` is whether that message is the first of its
   * conversation.
   */
  isMessage: boolean;
  isConversation: boolean;
  inputTokens: number | null;
  outputTokens: number | null;
  firstWordsMs: number | null;
  replyMs: number | null;
  experimentId: string | null;
  variant: string | null;
}

type Note = NotedReply & { agentId: string; source: string; day: string };
type Row = Record<string, unknown>;
type Counts = Record<string, number>;

const hasReply = ({ state }: Note): boolean => state === 'complete' || state === 'stopped';
const one = (condition: boolean): number => (condition ? 1 : 0);

/** Returns the increments of the daily counters for a note. */
function countsOf(note: Note): Counts {
  if (note.isRating) return { thumbs_up: note.thumbsUp, thumbs_down: note.thumbsDown };
  return {
    conversations: one(note.isConversation),
    messages: one(note.isMessage),
    replies: one(hasReply(note)),
    failed: one(!hasReply(note)),
    stopped: one(note.state === 'stopped'),
    regenerated: one(note.isRegeneration),
    input_tokens: note.inputTokens ?? 0,
    output_tokens: note.outputTokens ?? 0,
  };
}

const noCounts: Counts = {
  conversations: 0,
  messages: 0,
  replies: 0,
  failed: 0,
  stopped: 0,
  regenerated: 0,
  thumbs_up: 0,
  thumbs_down: 0,
  input_tokens: 0,
  output_tokens: 0,
};

/** Returns one row of `agent_days` per agent, day, version and source. Late ratings are left out. */
export const cellsOf = (notes: readonly Note[]): Row[] =>
  grouped(
    notes.filter(({ isLate }) => !isLate),
    (note) => ({
      agent_id: note.agentId,
      day: note.day,
      version_number: note.versionNumber,
      source: note.source,
    }),
  ).map(([cell, its]) => ({
    ...cell,
    ...added(noCounts, its.map(countsOf)),
    ...latenciesOf(its),
  }));

/** Returns one row of `agent_day_users` per agent, day, person, version and source. */
export const peopleOf = (notes: readonly Note[]): Row[] =>
  grouped(
    notes.filter(({ isRating }) => !isRating),
    (note) => ({
      agent_id: note.agentId,
      day: note.day,
      subject: note.subject,
      version_number: note.versionNumber,
      source: note.source,
      user_id: note.userId,
    }),
  ).map(([cell, its]) => ({ ...cell, messages: its.filter(({ isMessage }) => isMessage).length }));

/** Returns the increments of `experiment_sums`, one row per variant. */
export const sumsOf = (notes: readonly Note[]): Row[] =>
  grouped(
    notes.filter(({ variant }) => variant !== null),
    (note) => ({ experiment_id: note.experimentId, variant: note.variant }),
  ).map(([cell, its]) => {
    const { replies, failed, thumbs_up, thumbs_down } = added(noCounts, its.map(countsOf));
    return { ...cell, replies, failed, thumbs_up, thumbs_down, ...latenciesOf(its) };
  });

function grouped(notes: readonly Note[], keyOf: (note: Note) => Row): [Row, Note[]][] {
  const groups = Map.groupBy(notes, (note) => JSON.stringify(keyOf(note)));
  return [...groups].map(([key, its]) => [JSON.parse(key) as Row, its]);
}

const added = (zero: Counts, all: readonly Counts[]): Counts =>
  all.reduce((sum, counts) => {
    const next = { ...sum };
    for (const [name, count] of Object.entries(counts)) next[name] = (next[name] ?? 0) + count;
    return next;
  }, zero);

const latenciesOf = (its: readonly Note[]) => ({
  first_words: histogramOf(its.map((note) => (note.isRating ? null : note.firstWordsMs))),
  reply_times: histogramOf(its.map((note) => (note.isRating || !hasReply(note) ? null : note.replyMs))),
});

const histogramOf = (values: readonly (number | null)[]): number[] =>
  values.reduce((histogram, ms) => {
    if (ms === null) return histogram;
    const value = emptyHistogram();
    value[bucketOf(ms)] = 1;
    return addHistograms(histogram, value);
  }, emptyHistogram());
