import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { afterFetch } from '../api/after-fetch.ts';
import { followList } from '../api/follow-list.ts';
import {
  type DocumentFieldsFragment,
  DocumentUpdatesDocument,
  type DocumentUpdatesSubscription,
  UsageDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { documentsQuery, putDocument } from './documents-query.ts';

/** How often the list is read again although its updates are received: they do not include deletions. */
const readMs = 20_000;

/** Keeps the list current while documents are processed. */
export function useDocumentUpdates(agentId: string, isProcessing: boolean): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (!isProcessing) return;
    const { queryKey } = documentsQuery(agentId);
    const put = async (document: DocumentFieldsFragment): Promise<void> => {
      await afterFetch(cache, queryKey);
      putDocument(cache, agentId, document);
    };
    const readAgain = async (): Promise<void> => {
      await afterFetch(cache, queryKey);
      await cache.invalidateQueries({ queryKey });
    };
    const stop = followList(
      DocumentUpdatesDocument,
      { agentId },
      {
        onResult: ({ documentUpdates }: DocumentUpdatesSubscription) => void put(documentUpdates),
        readAgain: () => void readAgain(),
      },
    );
    const timer = setInterval(() => !document.hidden && void readAgain(), readMs);
    return () => {
      clearInterval(timer);
      stop();
      // A document that failed no longer counts.
      void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
    };
  }, [cache, agentId, isProcessing]);
}
