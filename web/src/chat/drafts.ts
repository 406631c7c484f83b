import { useSyncExternalStore } from 'react';
import { createStore } from './stored-texts.ts';

/** What was typed and not sent, by conversation or form. */
export const drafts = createStore<string>('draft:');

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
