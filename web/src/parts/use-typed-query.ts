import { useEffect, useRef, useState } from 'react';

const pauseMs = 250;

/**
 * The text of a search field whose query is part of the address. A pause in typing changes the address; a link or the way back
 * changes the text.
 */
export function useTypedQuery(
  q: string | undefined,
  onPause: (typed: string | undefined) => void,
): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(q ?? '');
  const known = useRef(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (q === known.current) return;
    known.current = q;
    clearTimeout(timer.current);
    setTyped(q ?? '');
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      known.current = text || undefined;
      onPause(known.current);
    }, pauseMs);
  };
  return [typed, type];
}
