import type { RetrievedChunk } from './relevant-chunks.ts';

/** A chunk that a reply used. */
export interface Citation {
  chunkId: string;
  documentId: string;
  filename: string;
  chunkIndex: number;
}

/** What the model puts behind a sentence that it took from the passage of this number. Rare in any text but its own. */
export const sourceMark = (number: number): string => `【${number}】`;

const marks = /[ \t]?【(\d{1,3}(?:\s*[,、]\s*\d{1,3})*)】/g;
/** The beginning of a mark, which the next piece of a stream may complete. */
const openMark = /[ \t]?(?:【[\d\s,、]{0,40})?$/;

/** What a document says, for the model: nothing in it is a source mark, so that none of it is cited for another passage. */
export const withoutMarks = (text: string): string => text.replace(marks, ' [$1]');

/** Takes the source marks out of a reply as it is written. */
export interface MarkReader {
  /** The text that is certain by now. */
  write(text: string): string;
  /** The rest at the end. */
  end(): string;
  /** The numbers seen, in the order of their first use. */
  readonly numbers: readonly number[];
}

export function createMarkReader(): MarkReader {
  const numbers = new Set<number>();
  let held = '';
  const strip = (text: string): string =>
    text.replace(marks, (_mark, list: string) => {
      for (const number of list.split(/[,、]/)) numbers.add(Number(number));
      return '';
    });
  return {
    write: (text) => {
      const stripped = strip(held + text);
      const from = stripped.search(openMark);
      held = from < 0 ? '' : stripped.slice(from);
      return from < 0 ? stripped : stripped.slice(0, from);
    },
    end: () => {
      const rest = held;
      held = '';
      return rest;
    },
    get numbers() {
      return [...numbers];
    },
  };
}

/**
 * The chunks that a reply used: those whose marks it carries, or, when the model set none, those that it quotes. Only
 * chunks that the model was given can be among them.
 * @param given in the order of their numbers, which begin at 1
 */
export function citationsOf(reply: string, numbers: readonly number[], given: readonly RetrievedChunk[]): Citation[] {
  const marked = numbers.flatMap((number) => given[number - 1] ?? []);
  const used = marked.length > 0 ? marked : given.filter(({ content }) => quotes(reply, content));
  return used.map(({ chunkId, documentId, filename, chunkIndex }) => ({ chunkId, documentId, filename, chunkIndex }));
}

const quotedWords = 8;

/** Whether a run of eight words of the chunk stands in the reply. */
function quotes(reply: string, content: string): boolean {
  const said = ` ${wordsOf(reply).join(' ')} `;
  const words = wordsOf(content);
  for (let i = 0; i + quotedWords <= words.length; i++) {
    if (said.includes(` ${words.slice(i, i + quotedWords).join(' ')} `)) return true;
  }
  return false;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
