import { keep } from '../api/keep.ts';
import { useSyncExternalStore } from 'react';
import { accountId } from '../api/session.ts';

export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  density: 'comfortable' | 'compact';
  /** The key that sends a message. */
  sendKey: 'enter' | 'ctrl-enter';
  /** Enables shortcuts without a modifier key, outside text fields (WCAG 2.1.4). */
  singleKeys: boolean;
  readAloud: boolean;
  readingSpeed: number;
  /** Scrolls along while a reply is being generated. */
  followReplies: boolean;
  /** Announces each sentence of a reply to screen readers as it arrives, instead of the complete reply. */
  announceSentences: boolean;
  /** Shows a notification when a reply completes in a hidden tab. Not synchronized: the permission is per browser. */
  notifyReplies: boolean;
  reduceMotion: boolean;
  isSidebarFolded: boolean;
  /** Language of the console's texts. */
  language: string;
}

export const defaults: Preferences = {
  theme: 'system',
  density: 'comfortable',
  sendKey: 'enter',
  singleKeys: true,
  readAloud: false,
  readingSpeed: 1,
  followReplies: false,
  announceSentences: false,
  notifyReplies: false,
  reduceMotion: false,
  isSidebarFolded: false,
  language: 'en',
};

const storageKey = 'preferences';
const unsavedKey = (): string => `preferences-unsaved:${accountId()}`;
const listeners = new Set<() => void>();
let current = withDefaults(read(storageKey));

/** Returns the stored preferences, or null if they are unreadable. */
function read(key: string): Partial<Preferences> | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Preferences> | null;
  } catch {
    return null;
  }
}

/** Takes each preference whose stored value has the type of its default, else the default. */
function withDefaults(given: unknown): Preferences {
  const entries = Object.entries(defaults).map(([name, value]): [string, unknown] => {
    const stored = (given as Record<string, unknown> | null)?.[name];
    return [name, typeof stored === typeof value ? stored : value];
  });
  return Object.fromEntries(entries) as unknown as Preferences;
}

export const preferences = (): Preferences => current;

/** Stores a choice of the person. It overrides the service's value until it is saved there. */
export function setPreferences(part: Partial<Preferences>): void {
  keep(localStorage, unsavedKey(), JSON.stringify({ ...unsavedPreferences(), ...part }));
  replacePreferences(part);
}

/** Applies the account's stored preferences, except those with unsaved choices on this device. */
export const acceptPreferences = (stored: Partial<Preferences>): void =>
  replacePreferences({ ...stored, ...unsavedPreferences() });

/** The account's choices on this device that the service has not confirmed. They survive a reload. */
export const unsavedPreferences = (): Partial<Preferences> => read(unsavedKey()) ?? {};

export const forgetUnsavedPreferences = (): void => localStorage.removeItem(unsavedKey());

function replacePreferences(part: Partial<Preferences>): void {
  current = { ...current, ...part };
  keep(localStorage, storageKey, JSON.stringify(current));
  apply();
}

/** Sets the preferences that CSS reads as attributes of the root. theme.js does the same before the first paint. */
function apply(): void {
  const { dataset } = document.documentElement;
  set(dataset, 'theme', current.theme === 'system' ? undefined : current.theme);
  set(dataset, 'density', current.density === 'compact' ? 'compact' : undefined);
  set(dataset, 'motion', current.reduceMotion ? 'reduced' : undefined);
  set(dataset, 'sidebar', current.isSidebarFolded ? 'folded' : undefined);
  for (const listener of listeners) listener();
}

function set(dataset: DOMStringMap, name: string, value: string | undefined): void {
  if (value === undefined) delete dataset[name];
  else dataset[name] = value;
}

// Another tab changed the preferences.
addEventListener('storage', ({ key }) => {
  if (key !== storageKey) return;
  current = withDefaults(read(storageKey));
  apply();
});

export const onPreferencesChange = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(onPreferencesChange, preferences);
