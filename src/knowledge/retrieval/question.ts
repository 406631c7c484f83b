import { isSmallTalk } from './small-talk.ts';

/** What is searched for. */
export interface Question {
  message: string;
  /** The message after the user's turn before it, which it may refer to; null for the first one. */
  inContext: string | null;
}

/** Embedding models accept 8,192 tokens; the question is at the beginning of a message. */
const maxMessageLength = 6_000;
const maxPreviousLength = 2_000;

/** @param previous the user's turn before the message */
export function questionOf(message: string, previous?: string | null): Question {
  const own = message.slice(0, maxMessageLength).toWellFormed();
  return {
    message: own,
    inContext:
      previous && !isSmallTalk(previous) ? `${previous.slice(0, maxPreviousLength).toWellFormed()}\n${own}` : null,
  };
}

/** The forms of the question that are embedded. */
export const formsOf = ({ message, inContext }: Question): string[] =>
  inContext === null ? [message] : [message, inContext];
