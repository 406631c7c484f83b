import { useSyncExternalStore } from 'react';
import { createStore } from './stored-texts.ts';

const pauseMs = 300;
const stored = createStore<string>('draft:');
/** What was typed since it was last written to storage. */
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

/** What was typed and not sent, by conversation or form. It is written to storage when the keys rest, and when the page goes. */
export const drafts = {
  get: (name: string): string => typed.get(name) ?? stored.get(name) ?? '',
  change(name: string, text: string): void {
    typed.set(name, text);
    clearTimeout(timer);
    if (text === '') write();
    else timer = setTimeout(write, pauseMs);
  },
  /** What was typed under one name belongs to another, behind what is there already. */
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
  /** Makes sending it again harmless. */
  key: string;
}

/** Messages that were sent and are not known to have arrived, by conversation, in order. */
export const unsent = createStore<Unsent[]>('unsent:');

/** The last questions that were tried on an agent's documents, newest first. */
export const questions = createStore<string[]>('questions:');

export const unsentIn = (conversationId: string): Unsent[] => {
  const stored = unsent.get(conversationId);
  return Array.isArray(stored) ? stored : [];
};

export function setUnsent(conversationId: string, messages: readonly Unsent[]): void {
  if (messages.length === 0) unsent.remove(conversationId);
  else unsent.set(conversationId, [...messages]);
}

/** The same, drawn again at each change. */
export function useUnsent(conversationId: string): Unsent[] {
  useSyncExternalStore(unsent.onChange, () => unsent.getText(conversationId));
  return unsentIn(conversationId);
}

/** Whether anything was typed on this device and not sent. */
export const hasTexts = (): boolean => drafts.names().length > 0 || unsent.names().length > 0;

/** Forgets what a person typed on this device. Called when they sign out. */
export function forgetTexts(): void {
  for (const store of [drafts, unsent, questions]) for (const name of store.names()) store.remove(name);
}
