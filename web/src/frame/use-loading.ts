import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** How long the next screen has been loading. Fast screens stay at `none`, so that nothing flashes. */
export type Loading = 'none' | 'noticeable' | 'long';

const noticeableMs = 150;
const longMs = 1_000;

/** Returns how long the next screen has been loading. The screen of a person who is typing does not become `long`. */
export function useLoading(): Loading {
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
  const [reached, setReached] = useState<Loading>('none');
  useEffect(() => {
    if (!isLoading) return;
    const timers = [
      setTimeout(() => setReached('noticeable'), noticeableMs),
      setTimeout(() => !isTyping() && setReached('long'), longMs),
    ];
    return () => {
      for (const timer of timers) clearTimeout(timer);
      setReached('none');
    };
  }, [isLoading]);
  return isLoading ? reached : 'none';
}

const isTyping = (): boolean => document.activeElement?.matches('main :is(input, textarea)') ?? false;
