import { createHash } from 'node:crypto';
import set from './set/questions.json' with { type: 'json' };

/**
 * `a`: uses words of the document; `b`: a paraphrase that avoids them; `c`: no document answers it; `d`: a follow-up that
 * needs the previous turn; `s`: a complete question after a turn about another subject.
 */
export type QuestionKind = 'a' | 'b' | 'c' | 'd' | 's';

export interface EvalQuestion {
  kind: QuestionKind;
  /** Of kind `c`: about a document, about another subject, or no question. */
  sub?: 'near' | 'far' | 'chat';
  /** The form of a question about a row of a table. */
  way?: 'id' | 'name';
  question: string;
  previous?: { question: string; reply: string };
  /** The document that answers it. */
  document?: string;
  /** A text of the right passage; any passage of the document is right without it. */
  answer?: string;
}

export interface EvalDocument {
  filename: string;
  text: string;
}

export const evalDocuments: readonly EvalDocument[] = set.documents;
export const evalQuestions = set.questions as readonly EvalQuestion[];

/** Splits by document, so that no text is in both halves: the first may be used for tuning, the second only judges. */
export const isHeldOut = ({ document = '' }: EvalQuestion): boolean =>
  (createHash('md5').update(document).digest().at(-1) ?? 0) % 2 === 1;

/** Whether a passage is one that the question asks for. */
export const isRight = ({ document, answer }: EvalQuestion, passage: { filename: string; content: string }): boolean =>
  passage.filename === document && (answer === undefined || passage.content.includes(answer));
