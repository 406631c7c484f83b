import { useEffect } from 'react';
import {
  MyPreferencesDocument,
  type StoredPreferencesFragment,
  UpdatePreferencesDocument,
  type UpdatePreferencesInput,
} from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { defaults, onPreferencesChange, type Preferences, preferences, setPreferences } from './preferences.ts';

/** Several changes in a row are one request. */
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

/** What the account has, on top of this device's. What it never set stays as it is here. */
function fromService(stored: StoredPreferencesFragment): Partial<Preferences> {
  const given = Object.entries(stored).filter(([name, value]) => name in defaults && value !== null);
  const words = given.map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toLowerCase().replace('_', '-') : value,
  ]);
  return Object.fromEntries(words) as Partial<Preferences>;
}

/** Preferences follow the account to its other devices. Without the network they are kept here. */
export function usePreferencesSync(): void {
  useEffect(() => {
    let sent = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const send = (): void => {
      const input = toService(preferences());
      if (JSON.stringify(input) === sent) return;
      request(UpdatePreferencesDocument, { input }).then(
        () => (sent = JSON.stringify(input)),
        () => undefined,
      );
    };
    const stop = onPreferencesChange(() => {
      clearTimeout(timer);
      timer = setTimeout(send, pauseMs);
    });
    request(MyPreferencesDocument, {}).then(
      ({ me }) => {
        if (isLeft) return;
        const stored = fromService(me.preferences);
        if (Object.keys(stored).length > 0) setPreferences(stored);
        clearTimeout(timer);
        sent = JSON.stringify(toService(preferences()));
      },
      () => undefined,
    );
    return () => {
      isLeft = true;
      clearTimeout(timer);
      stop();
    };
  }, []);
}
