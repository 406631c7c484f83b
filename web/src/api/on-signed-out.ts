import { onSessionChange, sessionState } from './session.ts';

/** Calls `forget` when the account signs out, in any tab, so that the next one finds nothing of it in this page. */
export const onSignedOut = (forget: () => void): void =>
  void onSessionChange(() => {
    if (sessionState() === 'signed-out') forget();
  });
