import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useLayoutEffect } from 'react';
import { onSessionChange, sessionState } from '../api/session.ts';
import { submitByKeys } from '../parts/controls/submit-keys.ts';

/** Root of every page: handles the end of the session and the shortcut that submits forms. */
export function Root() {
  useSignOut();
  useLayoutEffect(() => {
    addEventListener('keydown', submitByKeys);
    return () => removeEventListener('keydown', submitByKeys);
  }, []);
  return <Outlet />;
}

/** On sign-out, in any tab, leaves the pages of the account and clears the cache. */
function useSignOut(): void {
  const router = useRouter();
  useEffect(() => {
    let wasSignedIn = false;
    const note = (): void => {
      const isSignedOut = sessionState() === 'signed-out';
      if (isSignedOut && wasSignedIn) {
        void import('../api/cache.ts').then(({ cache }) => cache.clear());
        void router.navigate({ to: '/', ignoreBlocker: true });
      }
      wasSignedIn = sessionState() === 'active' || sessionState() === 'expired';
    };
    note();
    return onSessionChange(note);
  }, [router]);
}
