import { infiniteQueryOptions } from '@tanstack/react-query';
import { DocumentChunksDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';

interface ChunkList {
  agentId: string;
  docId: string;
  q: string | undefined;
}

interface Part {
  offset: number;
  limit: number;
}

const pageSize = 30;
/** Number of passages shown before the one that the page is opened at. */
const lead = 5;

/** Pages of passages that start shortly before `at` and extend in both directions. */
export const chunksQuery = (list: ChunkList, at = 0) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(DocumentChunksDocument, list), Math.max(0, at - lead)],
    queryFn: ({ signal, pageParam }) => request(DocumentChunksDocument, { ...list, ...pageParam }, { signal }),
    initialPageParam: { offset: Math.max(0, at - lead), limit: pageSize } as Part,
    getNextPageParam: ({ documentChunks: { total } }, _pages, { offset, limit }): Part | null =>
      offset + limit < (total ?? 0) ? { offset: offset + limit, limit: pageSize } : null,
    getPreviousPageParam: (_page, _pages, { offset }): Part | null => {
      const limit = Math.min(pageSize, offset);
      return limit > 0 ? { offset: offset - limit, limit } : null;
    },
  });
