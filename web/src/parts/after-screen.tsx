import { IsRestoringProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

/** Long enough for the first screen to be painted and to take the focus. */
const pauseMs = 100;

let isShown = false;

/** Returns whether the first screen of the page has been shown for a moment. */
export function useScreenShown(): boolean {
  const [isNow, setNow] = useState(isShown);
  useEffect(() => {
    const timer = setTimeout(() => {
      isShown = true;
      setNow(true);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, []);
  return isNow;
}

/** Children whose queries start after the first screen is shown, so that they do not compete with what it needs. */
export const AfterScreen = ({ children }: { children: ReactNode }) => (
  <IsRestoringProvider value={!useScreenShown()}>{children}</IsRestoringProvider>
);
