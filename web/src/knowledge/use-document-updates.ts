import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { DocumentUpdatesDocument, UsageDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { subscribe } from '../api/subscribe.ts';
import { documentsQuery, putDocument } from './documents-query.ts';

const pauseMs = 3_000;

/** Keeps the list current while documents are processed. Polls while the stream is unavailable. */
export function useDocumentUpdates(agentId: string, isProcessing: boolean): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (!isProcessing) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const follow = async (): Promise<void> => {
      try {
        for await (const { documentUpdates } of subscribe(DocumentUpdatesDocument, { agentId }, { signal })) {
          putDocument(cache, agentId, documentUpdates);
        }
      } catch {
        // Polled below.
      }
      if (signal.aborted) return;
      await cache.invalidateQueries({ queryKey: documentsQuery(agentId).queryKey });
      setTimeout(() => !signal.aborted && void follow(), pauseMs);
    };
    void follow();
    return () => {
      leaving.abort();
      // A document that failed no longer counts.
      void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
    };
  }, [cache, agentId, isProcessing]);
}
