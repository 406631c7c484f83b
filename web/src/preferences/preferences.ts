import { useSyncExternalStore } from 'react';

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
const unsavedKey = 'preferences-unsaved';
const listeners = new Set<() => void>();
let current = read();

/** Reads the stored preferences. Unreadable ones become the defaults. */
function read(): Preferences {
  let stored: unknown = null;
  try {
    stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
  } catch {
    // Unreadable storage counts as empty.
  }
  return withDefaults(stored);
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
  localStorage.setItem(unsavedKey, [...new Set([...unsavedNames(), ...Object.keys(part)])].join(' '));
  replacePreferences(part);
}

/** Applies the account's stored preferences, except those with unsaved choices on this device. */
export function acceptPreferences(stored: Partial<Preferences>): void {
  const unsaved = unsavedNames();
  replacePreferences(Object.fromEntries(Object.entries(stored).filter(([name]) => !unsaved.includes(name))));
}

/** Names of preferences whose choice on this device is not confirmed by the service. They survive a reload. */
export const unsavedNames = (): string[] => localStorage.getItem(unsavedKey)?.split(' ') ?? [];

export const forgetUnsavedNames = (): void => localStorage.removeItem(unsavedKey);

function replacePreferences(part: Partial<Preferences>): void {
  current = { ...current, ...part };
  localStorage.setItem(storageKey, JSON.stringify(current));
  apply();
}

/** Sets the preferences that CSS reads as attributes of the root. theme.js does the same before the first paint. */
function apply(): void {
  const { dataset } = document.documentElement;
  set(dataset, 'theme', current.theme === 'system' ? undefined : current.theme);
  set(dataset, 'density', current.density === 'compact' ? 'compact' : undefined);
  set(dataset, 'motion', current.reduceMotion ? 'reduced' : undefined);
  for (const listener of listeners) listener();
}

function set(dataset: DOMStringMap, name: string, value: string | undefined): void {
  if (value === undefined) delete dataset[name];
  else dataset[name] = value;
}

// Another tab changed the preferences.
addEventListener('storage', ({ key }) => {
  if (key !== storageKey) return;
  current = read();
  apply();
});

export const onPreferencesChange = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(onPreferencesChange, preferences);
