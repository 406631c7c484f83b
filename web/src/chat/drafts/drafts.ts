import { useSyncExternalStore } from 'react';
import type { Replaced } from '../replies/live-reply.ts';
import { hasAccount, onSessionChange, sessionState } from '../../api/session.ts';
import { createStore } from './stored-texts.ts';

const pauseMs = 300;
const stored = createStore<string>('draft');
/** Texts typed in fields that this tab shows. Another tab can store another text under the same name. */
const own = new Map<string, string>();
/** Names of texts that changed since the last write to storage. */
const changed = new Set<string>();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function write(): void {
  clearTimeout(timer);
  for (const name of changed) {
    const text = own.get(name);
    if (text === undefined) stored.remove(name);
    // After a sign-out in another tab, nothing is stored again.
    else if (hasAccount()) stored.set(name, text);
  }
  changed.clear();
}

function writeSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(write, pauseMs);
}

function notify(): void {
  for (const listener of listeners) listener();
}

/** Stores what this tab shows, also over a text of another tab, unless that continues it. */
function keep(name: string): void {
  if (!stored.get(name)?.includes(drafts.get(name))) changed.add(name);
  write();
}

addEventListener('pagehide', () => {
  write();
  for (const name of own.keys()) keep(name);
});

addEventListener('storage', () => {
  // Another tab sent or discarded its text. What this tab shows stays a draft.
  for (const name of own.keys()) if (stored.get(name) === null) changed.add(name);
  writeSoon();
  notify();
});

onSessionChange(() => {
  if (sessionState() === 'expired') write();
  if (sessionState() !== 'signed-out') return;
  own.clear();
  changed.clear();
});

/**
 * Unsent text by conversation or form. It is written to storage when typing pauses and when the page is left. A tab shows
 * what was typed in it, else what is stored.
 */
export const drafts = {
  get: (name: string): string => own.get(name) ?? stored.get(name) ?? '',
  change(name: string, text: string): void {
    if (text === '') own.delete(name);
    else own.set(name, text);
    changed.add(name);
    if (text === '') write();
    else writeSoon();
    notify();
  },
  /** Adds text at the end. */
  add(name: string, text: string): void {
    const before = drafts.get(name);
    drafts.change(name, before === '' ? text : `${before.trimEnd()} ${text}`);
  },
  /** Moves the text of one draft to the end of another. */
  move(from: string, to: string): void {
    const text = [drafts.get(to), drafts.get(from)].filter(Boolean).join('\n');
    drafts.change(from, '');
    drafts.change(to, text);
  },
  remove: (name: string): void => drafts.change(name, ''),
  /** Called when the field of a draft is no longer shown. */
  leave(name: string): void {
    if (own.has(name)) keep(name);
    own.delete(name);
  },
  onChange: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  names(): string[] {
    write();
    return stored.names();
  },
};

export interface Unsent {
  content: string;
  /** Idempotency key, so that a retry does not send it twice. */
  key: string;
  /** The message that it is a new version of. */
  replaces?: Replaced | undefined;
}

/** Messages that were sent but not confirmed, by conversation, in order. */
export const unsent = createStore<Unsent[]>('unsent');

/** Recent questions in the playground of an agent's documents, newest first. */
export const questions = createStore<string[]>('questions');

export const unsentIn = (conversationId: string): Unsent[] => {
  const stored = unsent.get(conversationId);
  return Array.isArray(stored) ? stored : [];
};

export function setUnsent(conversationId: string, messages: readonly Unsent[]): void {
  if (messages.length === 0) unsent.remove(conversationId);
  else unsent.set(conversationId, [...messages]);
}

/** Like `unsentIn`, and renders again at each change. */
export function useUnsent(conversationId: string): Unsent[] {
  useSyncExternalStore(unsent.onChange, () => unsent.getText(conversationId));
  return unsentIn(conversationId);
}

/** Whether this device stores any unsent text of the account. */
export const hasTexts = (): boolean => drafts.names().length > 0 || unsent.names().length > 0;

/** Deletes all text of the account stored on this device. Called on sign-out. */
export function forgetTexts(): void {
  for (const store of [drafts, unsent, questions]) for (const name of store.names()) store.remove(name);
}
