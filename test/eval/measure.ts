import type { Ctx } from '../../src/core/ctx.ts';
import { passagesPerMessage, retrieve, type RetrieveOptions } from '../../src/knowledge/retrieval/retrieve.ts';
import { type EvalQuestion, isRight } from './question-set.ts';

/** A passage as a search returns it. */
interface Passage {
  filename: string;
  content: string;
}

/** Returns up to five passages, best first. */
type Ask = (question: EvalQuestion) => Promise<readonly Passage[]>;

/** Searches as a conversation does. */
export const askWith =
  (ctx: Ctx, agentId: string, only?: RetrieveOptions['only']): Ask =>
  ({ question, previous }) =>
    retrieve(ctx, agentId, question, {
      limit: passagesPerMessage,
      previous: previous?.question ?? null,
      ...(only && { only }),
    });

export interface Figures {
  questions: number;
  /** Share of questions with a right passage first, and among the first five. */
  recallAt1: number;
  recallAt5: number;
  /** Mean of 1 / rank of the first right passage. */
  mrr: number;
  /** Mean number of passages per question. */
  passages: number;
  /** Share of questions without a passage. */
  nothing: number;
}

/** Rank of the first right passage, from 1; null when there is none. */
export interface Outcome {
  question: EvalQuestion;
  rank: number | null;
  passages: readonly Passage[];
}

export async function askAll(questions: readonly EvalQuestion[], ask: Ask): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    const passages = await ask(question);
    const at = passages.findIndex((passage) => isRight(question, passage));
    outcomes.push({ question, passages, rank: at < 0 ? null : at + 1 });
  }
  return outcomes;
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const share = (fits: (outcome: Outcome) => boolean): number => outcomes.filter(fits).length / outcomes.length;
  const mean = (value: (outcome: Outcome) => number): number =>
    outcomes.reduce((sum, outcome) => sum + value(outcome), 0) / outcomes.length;
  return {
    questions: outcomes.length,
    recallAt1: share(({ rank }) => rank === 1),
    recallAt5: share(({ rank }) => rank !== null),
    mrr: mean(({ rank }) => (rank === null ? 0 : 1 / rank)),
    passages: mean(({ passages }) => passages.length),
    nothing: share(({ passages }) => passages.length === 0),
  };
}

export const measure = async (questions: readonly EvalQuestion[], ask: Ask): Promise<Figures> =>
  figuresOf(await askAll(questions, ask));
