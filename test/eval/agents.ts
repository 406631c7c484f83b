import agents from './set/agents.json' with { type: 'json' };
import languages from './set/languages.json' with { type: 'json' };
import type { EvalDocument, EvalQuestion } from './question-set.ts';

/** An agent with few documents, and what people ask it. */
export interface EvalAgent {
  /** What the documents are, or their language. */
  kind: string;
  /** Constants may be chosen by the questions of the tuning half only. */
  half: 'tuning' | 'held-out';
  documents: readonly EvalDocument[];
  questions: readonly EvalQuestion[];
}

const read = ({ agents: listed }: { agents: readonly unknown[] }): EvalAgent[] =>
  (listed as (Omit<EvalAgent, 'questions'> & { questions: string[][] })[]).map((agent) => ({
    ...agent,
    questions: agent.questions.map(([question = '', document, answer]) => ({
      kind: document === undefined ? 'c' : 'a',
      question,
      ...(document !== undefined && { document }),
      ...(answer !== undefined && { answer }),
    })),
  }));

/** Whether the kind of an agent is the language of its documents. */
export const isLanguage = (kind: string): boolean => kind in languages.smallTalk;

export const smallAgents: readonly EvalAgent[] = [...read(agents), ...read(languages)];

/** Small talk by language. The messages at even positions may be used for tuning. */
export const smallTalk: Readonly<Record<string, readonly string[]>> = languages.smallTalk;
