import { useSyncExternalStore } from 'react';

export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  density: 'comfortable' | 'compact';
  /** What sends a message: Enter, or Ctrl/Cmd and Enter. */
  sendKey: 'enter' | 'ctrl-enter';
  /** Keys without a modifier outside of fields (WCAG 2.1.4). */
  singleKeys: boolean;
  readAloud: boolean;
  readingSpeed: number;
  /** Scrolls along with a reply that is being written. */
  followReplies: boolean;
  /** Says each sentence of a reply to a screen reader as it comes, instead of the whole at its end. */
  announceSentences: boolean;
  /** Shows a notification for a reply that is completed while the tab is hidden. The permission is this browser's. */
  notifyReplies: boolean;
  reduceMotion: boolean;
  isSidebarFolded: boolean;
  /** Of the console's words. */
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

/** Stored values of this version's kinds; anything else is the default. */
function read(): Preferences {
  let stored: unknown = null;
  try {
    stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
  } catch {
    // What can't be read counts as nothing.
  }
  return withDefaults(stored);
}

/** A value from storage: of each name what has the right kind, else the default. */
function withDefaults(given: unknown): Preferences {
  const entries = Object.entries(defaults).map(([name, value]): [string, unknown] => {
    const stored = (given as Record<string, unknown> | null)?.[name];
    return [name, typeof stored === typeof value ? stored : value];
  });
  return Object.fromEntries(entries) as unknown as Preferences;
}

export const preferences = (): Preferences => current;

/** A choice of the person. It counts more than what the service has, until the service has it, too. */
export function setPreferences(part: Partial<Preferences>): void {
  localStorage.setItem(unsavedKey, [...new Set([...unsavedNames(), ...Object.keys(part)])].join(' '));
  replacePreferences(part);
}

/** What the account has stored, but for what was chosen here since. */
export function acceptPreferences(stored: Partial<Preferences>): void {
  const unsaved = unsavedNames();
  replacePreferences(Object.fromEntries(Object.entries(stored).filter(([name]) => !unsaved.includes(name))));
}

/** Names of what was chosen here and is not known to be stored, also before a reload or without the network. */
export const unsavedNames = (): string[] => localStorage.getItem(unsavedKey)?.split(' ') ?? [];

export const forgetUnsavedNames = (): void => localStorage.removeItem(unsavedKey);

function replacePreferences(part: Partial<Preferences>): void {
  current = { ...current, ...part };
  localStorage.setItem(storageKey, JSON.stringify(current));
  apply();
}

/** Puts what concerns every element on the root; theme.js does the same before the first paint of the next page. */
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

// Another tab changed them.
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
