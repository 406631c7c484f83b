import { useEffect, useRef } from 'react';
import { asApiError, isTransient } from './api-error.ts';
import { waitForNetwork } from './wait-for-network.ts';

/** Each failure is a new error, so the pause does not grow: about two seconds. */
const pause = 3;

/** Tries again by itself what failed because the service is away. */
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
