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
