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
  forgetUnsavedNames,
  onPreferencesChange,
  type Preferences,
  preferences,
  unsavedNames,
} from './preferences.ts';

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

/** Preferences follow the account to its other devices. Without the network they are kept here, and sent with the next page. */
export function usePreferencesSync(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const send = (): void => {
      const input = toService(preferences());
      if (!unsavedNames().some((name) => name in input)) return;
      request(UpdatePreferencesDocument, { input }).then(
        () => {
          // A choice that was made meanwhile has its own request.
          if (JSON.stringify(toService(preferences())) === JSON.stringify(input)) forgetUnsavedNames();
        },
        () => undefined,
      );
    };
    const sendSoon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(send, pauseMs);
    };
    const stop = onPreferencesChange(sendSoon);
    request(MyPreferencesDocument, {}).then(
      ({ me }) => {
        if (!isLeft) acceptPreferences(fromService(me.preferences));
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
