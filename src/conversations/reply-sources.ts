import { type Citation, citationsOf, createMarkReader } from '../knowledge/citations.ts';
import type { RetrievedChunk } from '../knowledge/relevant-chunks.ts';

/** Follows which of the chunks that the model was given its reply uses, and takes the marks that say so out of it. */
export interface ReplySources {
  /** What the model is given, in the order of its marks. Without any the reply passes unchanged. */
  give(chunks: readonly RetrievedChunk[]): void;
  /** The text to show for a piece of the reply. */
  write(text: string): string;
  /** What is still to show at the end. */
  end(): string;
  cited(reply: string): Citation[];
}

export function createReplySources(): ReplySources {
  const marks = createMarkReader();
  let given: readonly RetrievedChunk[] = [];
  return {
    give: (chunks) => {
      given = chunks;
    },
    write: (text) => (given.length > 0 ? marks.write(text) : text),
    end: () => marks.end(),
    cited: (reply) => citationsOf(reply, marks.numbers, given),
  };
}
