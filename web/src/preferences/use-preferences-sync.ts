import { useEffect } from 'react';
import {
  MyPreferencesDocument,
  type StoredPreferencesFragment,
  UpdatePreferencesDocument,
  type UpdatePreferencesInput,
} from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import {
  acceptPreferences,
  defaults,
  forgetUnsavedPreferences,
  onPreferencesChange,
  type Preferences,
  preferences,
  unsavedPreferences,
} from './preferences.ts';

/** Debounce: several changes in a row are sent in one request. */
const pauseMs = 800;

const toService = (own: Preferences): UpdatePreferencesInput => ({
  theme: own.theme.toUpperCase() as UpdatePreferencesInput['theme'],
  density: own.density.toUpperCase() as UpdatePreferencesInput['density'],
  sendKey: own.sendKey === 'enter' ? 'ENTER' : 'CTRL_ENTER',
  singleKeys: own.singleKeys,
  readAloud: own.readAloud,
  followReplies: own.followReplies,
  reduceMotion: own.reduceMotion,
  language: own.language,
});

/** Converts the account's stored preferences. Those never set are omitted, so that this device's values stay. */
function fromService(stored: StoredPreferencesFragment): Partial<Preferences> {
  const given = Object.entries(stored).filter(([name, value]) => name in defaults && value !== null);
  const words = given.map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toLowerCase().replace('_', '-') : value,
  ]);
  return Object.fromEntries(words) as Partial<Preferences>;
}

/** Synchronizes preferences with the account once it may. Choices made offline stay on this device until they are sent. */
export function usePreferencesSync(isDue: boolean): void {
  useEffect(() => {
    if (!isDue) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    /** Number of requests that saved choices. */
    let saved = 0;
    const send = (): void => {
      const unsaved = unsavedPreferences();
      const entries = Object.entries(toService({ ...preferences(), ...unsaved })).filter(([name]) => name in unsaved);
      if (entries.length === 0) return;
      const input = Object.fromEntries(entries) as UpdatePreferencesInput;
      request(UpdatePreferencesDocument, { input }).then(
        () => {
          saved += 1;
          // A choice made meanwhile is sent by its own request.
          if (JSON.stringify(unsavedPreferences()) === JSON.stringify(unsaved)) forgetUnsavedPreferences();
        },
        // The choice stays unsaved. It is sent again with the next one, when the network returns, or after a reload.
        () => undefined,
      );
    };
    const sendSoon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(send, pauseMs);
    };
    const stop = onPreferencesChange(sendSoon);
    addEventListener('online', send);
    const load = (): void => {
      const savedBefore = saved;
      request(MyPreferencesDocument, {}).then(
        ({ me }) => {
          if (isLeft) return;
          // Otherwise the response may be older than a choice that was saved meanwhile.
          if (saved === savedBefore) acceptPreferences(fromService(me.preferences));
          else load();
        },
        () => undefined,
      );
    };
    load();
    return () => {
      isLeft = true;
      clearTimeout(timer);
      stop();
      removeEventListener('online', send);
    };
  }, [isDue]);
}
