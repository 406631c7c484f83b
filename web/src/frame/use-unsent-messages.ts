import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSessionState } from '../api/use-session.ts';
import { takeHeldUp } from '../chat/drafts/held-up.ts';
import { loadPart } from '../parts/layers/load-part.ts';

/** Sends the messages that waited for the network when this tab was reloaded, whichever screen is shown. */
export function useUnsentMessages(): void {
  const cache = useQueryClient();
  const isSignedIn = useSessionState() === 'active';
  useEffect(() => {
    const names = isSignedIn ? takeHeldUp() : [];
    if (names.length === 0) return;
    // Without that part they are sent when their conversation is opened.
    loadPart(() => import('../conversations/thread/send-unsent.ts')).then(
      ({ sendUnsent }) => sendUnsent(cache, names),
      () => undefined,
    );
  }, [cache, isSignedIn]);
}
