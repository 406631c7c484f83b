import { useSyncExternalStore } from 'react';
import type { Replaced } from './live-reply.ts';
import { createStore } from './stored-texts.ts';

const pauseMs = 300;
const stored = createStore<string>('draft');
/** Texts that changed since the last write to storage. */
const typed = new Map<string, string>();
let timer: ReturnType<typeof setTimeout> | undefined;

function write(): void {
  clearTimeout(timer);
  for (const [name, text] of typed) {
    typed.delete(name);
    if (text === '') stored.remove(name);
    else stored.set(name, text);
  }
}

addEventListener('pagehide', write);

/** Unsent text by conversation or form. It is written to storage when typing pauses and when the page is left. */
export const drafts = {
  get: (name: string): string => typed.get(name) ?? stored.get(name) ?? '',
  change(name: string, text: string): void {
    typed.set(name, text);
    clearTimeout(timer);
    if (text === '') write();
    else timer = setTimeout(write, pauseMs);
  },
  /** Moves the text of one draft to the end of another. */
  move(from: string, to: string): void {
    const text = [drafts.get(to), drafts.get(from)].filter(Boolean).join('\n');
    drafts.change(from, '');
    drafts.change(to, text);
  },
  remove: (name: string): void => drafts.change(name, ''),
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
