import { useEffect, useSyncExternalStore } from 'react';
import { drafts } from './drafts.ts';

/** Text that survives a reload, a crash and navigation. Every change is part of the draft immediately. */
export function useDraft(name: string): [text: string, change: (text: string) => void] {
  const text = useSyncExternalStore(drafts.onChange, () => drafts.get(name));
  useEffect(() => () => drafts.leave(name), [name]);
  return [text, (changed) => drafts.change(name, changed)];
}
