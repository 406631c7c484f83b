import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useLayoutEffect } from 'react';
import { onSessionChange, sessionState } from '../api/session.ts';
import { submitByKeys } from '../parts/submit-keys.ts';

/** Around every page: what happens when the session ends, and the keys that save. */
export function Root() {
  useSignOut();
  useLayoutEffect(() => {
    addEventListener('keydown', submitByKeys);
    return () => removeEventListener('keydown', submitByKeys);
  }, []);
  return <Outlet />;
}

/** Leaves every page of the account, in this tab and the others, and forgets what was loaded. */
function useSignOut(): void {
  const router = useRouter();
  useEffect(() => {
    let wasSignedIn = false;
    const note = (): void => {
      const isSignedOut = sessionState() === 'signed-out';
      if (isSignedOut && wasSignedIn) {
        void import('../api/cache.ts').then(({ cache }) => cache.clear());
        void router.navigate({ to: '/' });
      }
      wasSignedIn = sessionState() === 'active' || sessionState() === 'expired';
    };
    note();
    return onSessionChange(note);
  }, [router]);
}
