import { figuresIn, identifierWords } from '../figures.ts';
import { functionWords } from '../processing/document-language.ts';
import { isSmallTalk } from './small-talk.ts';

/** The texts that are searched for. */
export interface Question {
  message: string;
  /** The message together with the user's previous turn, to which it may refer; null for the first message. */
  inContext: string | null;
}

/**
 * Maximum length of the message in characters. Embedding models accept 8,192 tokens, and the question is usually at the
 * beginning of a message.
 */
const maxMessageLength = 6_000;
const maxPreviousLength = 2_000;

/** Creates the question for a message. @param previous the user's turn before the message */
export function questionOf(message: string, previous?: string | null): Question {
  const own = message.slice(0, maxMessageLength).toWellFormed();
  return {
    message: own,
    inContext:
      previous && !isSmallTalk(previous) ? `${previous.slice(0, maxPreviousLength).toWellFormed()}\n${own}` : null,
  };
}

/** Returns the forms of the question that are embedded. */
export const formsOf = ({ message, inContext }: Question): string[] =>
  inContext === null ? [message] : [message, inContext];

/** What an index of words finds of a text. */
export interface SearchedText {
  /** The text without its figures and without words that only connect others. */
  words: string;
  /** The forms of each number, date or identifier. */
  figures: string[][];
  /** Its names: words that are written like one. */
  names: string;
}

/** A capitalised word within a sentence, or a word with capitals or underscores inside. */
const name = /(?<=[\p{L}\p{N},] +)\p{Lu}[\p{L}\p{M}'’-]+|(?<![\p{L}_])\p{L}+(?:\p{Ll}\p{Lu}|_)[\p{L}_]*/gu;

/** Splits a text of a question into its words and its figures, which are indexed in other forms. */
export function searchedText(text: string): SearchedText {
  const plain = text.normalize('NFKC');
  const figures = figuresIn(plain);
  let words = '';
  let from = 0;
  for (const { start, end } of figures) {
    words += `${plain.slice(from, start)} `;
    from = end;
  }
  words += [plain.slice(from), ...identifierWords(plain)].join(' ');
  const connecting = functionWords(words);
  return {
    words: words.replace(/[\p{L}\p{M}'’]+/gu, (word) => (connecting.has(word.toLowerCase()) ? ' ' : word)),
    figures: figures.map(({ forms }) => forms),
    names: (words.match(name) ?? []).join(' '),
  };
}
