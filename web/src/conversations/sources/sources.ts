import { createContext, useContext, useMemo } from 'react';
import type { ThreadMessageFragment } from '../../api/generated/operations.ts';
import type { Sources } from '../../chat/markdown/markdown.tsx';
import { texts } from '../texts.ts';

export type Citation = NonNullable<ThreadMessageFragment['citations']>[number];

/** The sources of a reply, and the index of the opened one. */
export interface OpenedSource {
  citations: readonly Citation[];
  index: number;
}

/** Opens a source beside the thread. */
export const OpenSource = createContext<(source: OpenedSource) => void>(() => undefined);

/** Returns the number of each citation: documents are numbered in the order of first use. */
export function numbersOf(citations: readonly Citation[]): number[] {
  const documents = [...new Set(citations.map(({ documentId }) => documentId))];
  return citations.map(({ documentId }) => documents.indexOf(documentId) + 1);
}

/** Returns the sources as the text of a reply marks them. */
export function useSources(citations: readonly Citation[] | null | undefined): Sources | undefined {
  const open = useContext(OpenSource);
  return useMemo(() => {
    if (!citations) return undefined;
    const numbers = numbersOf(citations);
    const list = citations.map(({ filename, chunkIndex, marks }, index) => {
      const number = numbers[index] ?? 0;
      return { number, label: texts.sourcePassage(number, filename, chunkIndex + 1), marks };
    });
    return { list, open: (index) => open({ citations, index }) };
  }, [citations, open]);
}
