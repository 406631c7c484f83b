import { useState } from 'react';
import { drafts } from './drafts.ts';

/** Text that survives a reload, a crash and navigation. Every change is part of the draft immediately. */
export function useDraft(name: string): [text: string, change: (text: string) => void] {
  const [shown, setShown] = useState(() => ({ name, text: drafts.get(name) }));
  if (shown.name !== name) setShown({ name, text: drafts.get(name) });
  const change = (text: string): void => {
    drafts.change(name, text);
    setShown({ name, text });
  };
  return [shown.name === name ? shown.text : drafts.get(name), change];
}
