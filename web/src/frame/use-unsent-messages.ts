import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSessionState } from '../api/use-session.ts';
import { unsent } from '../chat/drafts.ts';

/** Sends the messages that waited when the console was loaded, whichever screen is shown. */
export function useUnsentMessages(): void {
  const cache = useQueryClient();
  const isSignedIn = useSessionState() === 'active';
  useEffect(() => {
    if (!isSignedIn || unsent.names().length === 0) return;
    // Without that part they are sent when their conversation is opened.
    import('../conversations/send-unsent.ts').then(
      ({ sendUnsent }) => sendUnsent(cache),
      () => undefined,
    );
  }, [cache, isSignedIn]);
}
