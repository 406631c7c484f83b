import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { type ApiError, asApiError, isTransient } from '../api/api-error.ts';
import { UsageDocument } from '../api/generated/operations.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { keyOf } from '../api/query.ts';
import { documentsQuery } from './documents-query.ts';
import { refusalOf, uploadDocument } from './upload.ts';

export interface Upload {
  key: string;
  /** The Idempotency-Key. It is reused until a response arrives, so that a retry does not upload twice. */
  requestKey: string;
  file: File;
  share: number;
  error: ApiError | null;
  /** ID of the document that is deleted once the new one is ready. */
  replaces: string | null;
  encoding: string | null;
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

/** Failed uploads by agent, for a return to the screen. Another account's session loads the page again. */
const failed = new Map<string, Upload[]>();

/**
 * Uploads documents of one agent, two at a time. A failed upload stays listed until it is retried or removed, or the
 * page is reloaded. Leaving the screen cancels the others.
 */
export function useUploads(agentId: string, maximumBytes: number) {
  const cache = useQueryClient();
  const [uploads, dispatch] = useReducer(reduce, failed.get(agentId) ?? []);
  const waiting = useRef<Upload[]>([]);
  const running = useRef(new Map<string, AbortController>());
  useEffect(
    () => () => {
      waiting.current = [];
      for (const controller of running.current.values()) controller.abort();
    },
    [],
  );
  useEffect(() => {
    failed.set(
      agentId,
      uploads.filter(({ error }) => error !== null),
    );
  }, [agentId, uploads]);

  const next = (): void => {
    const upload = running.current.size < atOnce ? waiting.current.shift() : undefined;
    if (!upload) return;
    void run(upload).finally(() => {
      running.current.delete(upload.key);
      next();
    });
    next();
  };
  const run = async ({ key, requestKey, file, replaces, encoding }: Upload): Promise<void> => {
    const controller = new AbortController();
    running.current.set(key, controller);
    const onProgress = (share: number): void => dispatch({ type: 'set', key, part: { share } });
    try {
      await uploadDocument(agentId, file, {
        key: requestKey,
        replaces,
        encoding,
        signal: controller.signal,
        onProgress,
      });
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
    add: (files: readonly File[], encoding: string | null, replaces: string | null = null): void => {
      const added = files.map((file) => ({
        key: newIdempotencyKey(),
        requestKey: newIdempotencyKey(),
        file,
        share: 0,
        replaces,
        encoding,
        error: refusalOf(file, maximumBytes),
      }));
      dispatch({ type: 'add', uploads: added });
      for (const upload of added) if (!upload.error) enqueue(upload);
    },
    retry: (upload: Upload): void => {
      const isAnswered = upload.error !== null && !isTransient(upload.error);
      const requestKey = isAnswered ? newIdempotencyKey() : upload.requestKey;
      dispatch({ type: 'set', key: upload.key, part: { requestKey, error: null, share: 0 } });
      enqueue({ ...upload, requestKey });
    },
    remove: (key: string): void => {
      running.current.get(key)?.abort();
      waiting.current = waiting.current.filter((upload) => upload.key !== key);
      dispatch({ type: 'remove', key });
    },
  };
}
