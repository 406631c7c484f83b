import { endSession } from '../../api/session.ts';
import { forgetTexts } from '../../chat/drafts/drafts.ts';
import { notifyFailure } from '../../parts/layers/toast-store.ts';
import { forgetUnsavedPreferences } from '../../preferences/preferences.ts';
import { texts } from '../texts.ts';

/** Ends the session in every tab. The router then leaves the pages that need one. */
export async function signOut(): Promise<void> {
  try {
    await endSession();
    forgetTexts();
    forgetUnsavedPreferences();
  } catch (error) {
    notifyFailure(texts.stillSigned, error, () => void signOut());
  }
}
