import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { type DocumentFieldsFragment, DocumentsDocument, type DocumentsQuery } from '../api/generated/operations.ts';
import { pagedQuery } from '../api/query.ts';

export const documentsQuery = (agentId: string) =>
  pagedQuery(DocumentsDocument, { agentId }, ({ documents }) =>
    documents.pageInfo.hasNextPage ? documents.pageInfo.endCursor : null,
  );

/** Ids of documents that were deleted in this tab. Updates from before can still arrive. */
const deleted = new Set<string>();

/** Ignores further updates of a document that was deleted. */
export const noteDeleted = (id: string): void => void deleted.add(id);

/**
 * Updates a document in the cached list, or adds it at the top when it is new. Once it is ready, the document that it
 * replaced is gone, as are the failed attempts to replace that one.
 */
export function putDocument(cache: QueryClient, agentId: string, document: DocumentFieldsFragment): void {
  if (deleted.has(document.id)) return;
  cache.setQueryData<InfiniteData<DocumentsQuery, string | null>>(documentsQuery(agentId).queryKey, (list) => {
    if (!list) return list;
    const known = list.pages.flatMap(({ documents }) => documents.data).find(({ id }) => id === document.id);
    const replaced = document.status === 'READY' ? known?.replaces : null;
    const isGone = ({ id, replaces }: DocumentFieldsFragment): boolean =>
      Boolean(replaced) && id !== document.id && (id === replaced || replaces === replaced);
    const pages = list.pages.map((page, index) => {
      const data = page.documents.data
        .filter((each) => !isGone(each))
        .map((each) => (each.id === document.id ? document : each));
      return { documents: { ...page.documents, data: known || index > 0 ? data : [document, ...data] } };
    });
    return { ...list, pages };
  });
}
