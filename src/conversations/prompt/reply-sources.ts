import { type Citation, citationsOf, createMarkReader } from '../../knowledge/retrieval/citations.ts';
import type { RetrievedChunk } from '../../knowledge/retrieval/relevant-chunks.ts';

/** Records which of the given chunks a reply uses, and removes the citation marks from its text. */
export interface ReplySources {
  /** Sets the chunks in the prompt, in the order of their marks. Without chunks the reply passes unchanged. */
  give(chunks: readonly RetrievedChunk[]): void;
  /** Returns the text to show for a piece of the reply. */
  write(text: string): string;
  /** Returns the text that was held back. Called at the end of the reply. */
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
    cited: (reply) => citationsOf(reply, marks.offsets, given),
  };
}
