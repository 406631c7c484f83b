import { useEffect, useRef } from 'react';
import { asApiError, isTransient } from './api-error.ts';
import { waitForNetwork } from './wait-for-network.ts';

/** Attempt number for `waitForNetwork`: about two seconds. Constant, because each failure is a new error. */
const pause = 3;

/** Retries automatically after a transient failure. */
export function useRetry(failure: unknown, retry: () => void): void {
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
  useEffect(() => {
    if (!failure || !isTransient(asApiError(failure))) return;
    const ended = new AbortController();
    void waitForNetwork(pause, ended.signal).then(() => {
      if (!ended.signal.aborted) latest.current();
    });
    return () => ended.abort();
  }, [failure]);
}
