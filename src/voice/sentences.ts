import { segmentsBy } from './segments.ts';
import { speakableText } from './speakable-text.ts';

/** Splits Markdown that is being written into sentences to speak. */
export interface Sentences {
  /** The sentences that are finished with this text. */
  add(text: string): string[];
  /** What is left at the end. */
  end(): string[];
}

const fenceForm = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const mayBeFence = /^ {0,3}[`~]/;
const mayEnd = /[.!?…。！？\n]/;
/** A text without any end is spoken in pieces of about this length. */
const maxWaiting = 2_000;
const sentencesOf = segmentsBy('sentence');

/** Reads a reply piece by piece. Code blocks are left out: they are not for the ear. */
export function createSentences(): Sentences {
  /** Text outside of code that is not spoken yet; its last line is incomplete. */
  let waiting = '';
  let line = '';
  /** Whether the start of the line is in `waiting`. */
  let isMidLine = false;
  let fence: string | null = null;

  /** Takes a complete line, with its break. */
  function takeLine(): void {
    const found = isMidLine ? undefined : fenceIn(line);
    if (fence !== null) {
      if (found?.startsWith(fence) && line.trim() === found) fence = null;
    } else if (found !== undefined) fence = found;
    else waiting += line;
    line = '';
    isMidLine = false;
  }

  function finished(): string[] {
    const isProse = fence === null && (isMidLine || !mayBeFence.test(line));
    const text = isProse ? waiting + line : waiting;
    const pieces = sentencesOf(text);
    // The last one may continue, unless it can have no more.
    const rest = text.length > maxWaiting ? '' : (pieces.pop() ?? '');
    if (isProse) {
      waiting = rest;
      isMidLine ||= line !== '';
      line = '';
      return pieces;
    }
    waiting = fence === null ? rest : '';
    return fence === null ? pieces : [...pieces, rest];
  }

  return {
    add(text) {
      for (const part of text.split(/(?<=\n)/)) {
        line += part;
        if (line.endsWith('\n')) takeLine();
      }
      const isLong = waiting.length + line.length > maxWaiting;
      return mayEnd.test(text) || isLong ? speakable(finished()) : [];
    },
    end() {
      const isProse = fence === null && (isMidLine || fenceIn(line) === undefined);
      const rest = isProse ? waiting + line : waiting;
      waiting = line = '';
      return speakable(sentencesOf(rest));
    },
  };
}

/** The mark of a line that opens or closes a code block. */
const fenceIn = (line: string): string | undefined => fenceForm.exec(line)?.[1];

/** Without marks that a sentence has from a longer passage, and without what has no words. */
const speakable = (sentences: readonly string[]): string[] =>
  sentences.map((one) => speakableText(one).replace(/\*\*|__|~~/g, '')).filter((one) => /[\p{L}\p{N}]/u.test(one));
