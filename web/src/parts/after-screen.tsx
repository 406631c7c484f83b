import { IsRestoringProvider, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

/** Long enough for the first screen to be painted and to take the focus. */
const pauseMs = 100;
/** A screen whose data does not arrive holds up the rest no longer than this. */
const longestMs = 3_000;

let isShown = false;

/** Returns whether the first screen of the page has had its data for a moment. */
export function useScreenShown(): boolean {
  const client = useQueryClient();
  const [isNow, setNow] = useState(isShown);
  useEffect(() => {
    const show = (): void => {
      isShown = true;
      setNow(true);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = (): void => {
      clearTimeout(timer);
      if (client.isFetching() === 0) timer = setTimeout(show, pauseMs);
    };
    const unsubscribe = client.getQueryCache().subscribe(check);
    const latest = setTimeout(show, longestMs);
    check();
    return () => {
      unsubscribe();
      clearTimeout(timer);
      clearTimeout(latest);
    };
  }, [client]);
  return isNow;
}

/** Children whose queries start after the first screen is shown, so that they do not compete with what it needs. */
export const AfterScreen = ({ children }: { children: ReactNode }) => (
  <IsRestoringProvider value={!useScreenShown()}>{children}</IsRestoringProvider>
);
