import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

const pauseMs = 250;

/**
 * Connects a search field with the query in the address. A pause in typing updates the address; navigation updates the
 * field, and cancels an update that is still due: a result that was clicked must not be left for the search again.
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
  const router = useRouter();
  useEffect(() => {
    const unsubscribe = router.subscribe('onBeforeNavigate', () => clearTimeout(timer.current));
    return () => {
      unsubscribe();
      clearTimeout(timer.current);
    };
  }, [router]);
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
