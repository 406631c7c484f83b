import { segmentsBy } from './segments.ts';
import { speakableText } from './speakable-text.ts';

/** Splits Markdown that is still being written into sentences to speak. */
export interface Sentences {
  /** Adds text and returns the sentences that it completes. */
  add(text: string): string[];
  /** Returns the remaining sentences at the end of the text. */
  end(): string[];
}

// Lists and quotes may precede a fence on its line, and an item indents it.
const fenceForm = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*(`{3,}(?=[^`]*$)|~{3,})/;
const mayBeFence = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*(?:[`~]|$)/;
const mayEnd = /[.!?…。！？\n]/;
/** Length in characters after which text without a sentence end is spoken anyway. */
const maxWaiting = 2_000;
const sentencesOf = segmentsBy('sentence');

/** Creates a splitter for one reply. Code blocks are left out. */
export function createSentences(): Sentences {
  /** Text outside of code blocks that is not returned yet. Its last line may be incomplete. */
  let waiting = '';
  let line = '';
  /** Whether the start of the current line is already in `waiting`. */
  let isMidLine = false;
  let fence: string | null = null;

  /** Processes a complete line, including its line break. */
  function takeLine(): void {
    const found = isMidLine ? undefined : fenceIn(line);
    if (fence !== null) {
      if (found?.startsWith(fence) && line.trimEnd().endsWith(found)) fence = null;
    } else if (found !== undefined) fence = found;
    else waiting += line;
    line = '';
    isMidLine = false;
  }

  function finished(): string[] {
    const isProse = fence === null && (isMidLine || !mayBeFence.test(line));
    const text = isProse ? waiting + line : waiting;
    const pieces = sentencesOf(text);
    // The last sentence may still continue, unless the text is too long to wait.
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

/** Returns the fence of a line that opens or closes a code block. */
const fenceIn = (line: string): string | undefined => fenceForm.exec(line)?.[1];

/** Removes leftover marks of formatting that spans several sentences, and sentences without letters or digits. */
const speakable = (sentences: readonly string[]): string[] =>
  sentences.map((one) => speakableText(one).replace(/\*\*|__|~~/g, '')).filter((one) => /[\p{L}\p{N}]/u.test(one));
