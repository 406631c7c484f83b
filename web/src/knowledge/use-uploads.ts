import { useQueryClient } from '@tanstack/react-query';
import { useReducer, useRef } from 'react';
import { type ApiError, asApiError } from '../api/api-error.ts';
import { DeleteDocumentDocument, UsageDocument } from '../api/generated/operations.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { documentsQuery } from './documents-query.ts';
import { refusalOf, uploadDocument } from './upload.ts';

export interface Upload {
  /** Also the Idempotency-Key, so that a retry does not upload twice. */
  key: string;
  file: File;
  share: number;
  error: ApiError | null;
  /** Id of the document to delete once this upload is complete. */
  replaces: string | null;
}

type Change =
  | { type: 'add'; uploads: Upload[] }
  | { type: 'set'; key: string; part: Partial<Upload> }
  | { type: 'remove'; key: string };

function reduce(uploads: Upload[], change: Change): Upload[] {
  if (change.type === 'add') return [...uploads, ...change.uploads];
  if (change.type === 'remove') return uploads.filter(({ key }) => key !== change.key);
  return uploads.map((upload) => (upload.key === change.key ? { ...upload, ...change.part } : upload));
}

const atOnce = 2;

/** Uploads documents of one agent, two at a time. A failed upload stays listed until it is retried or removed. */
export function useUploads(agentId: string, maximumBytes: number) {
  const cache = useQueryClient();
  const [uploads, dispatch] = useReducer(reduce, []);
  const waiting = useRef<Upload[]>([]);
  const running = useRef(new Map<string, AbortController>());

  const next = (): void => {
    const upload = running.current.size < atOnce ? waiting.current.shift() : undefined;
    if (!upload) return;
    void run(upload).finally(() => {
      running.current.delete(upload.key);
      next();
    });
    next();
  };
  const run = async ({ key, file, replaces }: Upload): Promise<void> => {
    const controller = new AbortController();
    running.current.set(key, controller);
    const onProgress = (share: number): void => dispatch({ type: 'set', key, part: { share } });
    try {
      await uploadDocument(agentId, file, { key, signal: controller.signal, onProgress });
      if (replaces !== null) await request(DeleteDocumentDocument, { agentId, docId: replaces });
      await cache.invalidateQueries({ queryKey: documentsQuery(agentId).queryKey });
      void cache.invalidateQueries({ queryKey: keyOf(UsageDocument) });
      dispatch({ type: 'remove', key });
    } catch (error) {
      if (controller.signal.aborted) dispatch({ type: 'remove', key });
      else dispatch({ type: 'set', key, part: { error: asApiError(error) } });
    }
  };
  const enqueue = (upload: Upload): void => {
    waiting.current.push(upload);
    next();
  };
  return {
    uploads,
    add: (files: readonly File[], replaces: string | null = null): void => {
      const added = files.map((file) => ({
        key: newIdempotencyKey(),
        file,
        share: 0,
        replaces,
        error: refusalOf(file, maximumBytes),
      }));
      dispatch({ type: 'add', uploads: added });
      for (const upload of added) if (!upload.error) enqueue(upload);
    },
    retry: (upload: Upload): void => {
      dispatch({ type: 'set', key: upload.key, part: { error: null, share: 0 } });
      enqueue(upload);
    },
    remove: (key: string): void => {
      running.current.get(key)?.abort();
      waiting.current = waiting.current.filter((upload) => upload.key !== key);
      dispatch({ type: 'remove', key });
    },
  };
}
