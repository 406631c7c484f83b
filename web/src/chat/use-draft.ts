import { useCallback, useEffect, useRef, useState } from 'react';
import { drafts } from './drafts.ts';

const pauseMs = 300;

/** Text that survives a reload, a crash and another page. Written when the keys rest, and when the page goes. */
export function useDraft(name: string): [text: string, change: (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(name) ?? '');
  const latest = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const save = useCallback(() => {
    clearTimeout(timer.current);
    if (latest.current === '') drafts.remove(name);
    else drafts.set(name, latest.current);
  }, [name]);
  useEffect(() => {
    addEventListener('pagehide', save);
    return () => {
      removeEventListener('pagehide', save);
      save();
    };
  }, [save]);
  const change = (next: string): void => {
    latest.current = next;
    setText(next);
    clearTimeout(timer.current);
    if (next === '') save();
    else timer.current = setTimeout(save, pauseMs);
  };
  return [text, change];
}
