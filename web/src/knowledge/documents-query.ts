import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { type DocumentFieldsFragment, DocumentsDocument, type DocumentsQuery } from '../api/generated/operations.ts';
import { pagedQuery } from '../api/query.ts';

export const documentsQuery = (agentId: string) =>
  pagedQuery(DocumentsDocument, { agentId }, ({ documents }) =>
    documents.pageInfo.hasNextPage ? documents.pageInfo.endCursor : null,
  );

/** Updates a document in the cached list, or adds it at the top when it is new. */
export function putDocument(cache: QueryClient, agentId: string, document: DocumentFieldsFragment): void {
  cache.setQueryData<InfiniteData<DocumentsQuery, string | null>>(documentsQuery(agentId).queryKey, (list) => {
    if (!list) return list;
    const isKnown = list.pages.some(({ documents }) => documents.data.some(({ id }) => id === document.id));
    const pages = list.pages.map((page, index) => {
      const data = page.documents.data.map((each) => (each.id === document.id ? document : each));
      return { documents: { ...page.documents, data: isKnown || index > 0 ? data : [document, ...data] } };
    });
    return { ...list, pages };
  });
}
