import { type RefObject, useLayoutEffect, useRef } from 'react';
import { Button } from '../../parts/controls/button.tsx';
import { useNearView } from '../../parts/lists/use-near-view.ts';
import { keepInPlace } from './keep-in-place.ts';
import styles from './thread.module.css';

interface MoreMessagesProps {
  label: string;
  /** Whether the messages are added before the thread or after it. */
  side: 'before' | 'after';
  hasMore: boolean;
  isLoading: boolean;
  /** Key of the adjacent message; it changes when more were added. */
  edge: string | undefined;
  onLoad: () => void;
  scroller: RefObject<HTMLElement | null>;
}

interface Held {
  element: Element;
  top: number;
  edge: string | undefined;
}

/** Only after the reader scrolls: a thread that opens at its end briefly shows its beginning. */
const byHand = ['wheel', 'touchmove'] as const;

/** Loads more messages when the reader scrolls near, or by a button. The visible messages do not move. */
export function MoreMessages({ label, side, hasMore, isLoading, edge, onLoad, scroller }: MoreMessagesProps) {
  const element = useRef<HTMLDivElement>(null);
  const held = useRef<Held | null>(null);
  const load = (): void => {
    const next = side === 'before' ? element.current?.nextElementSibling : element.current?.previousElementSibling;
    held.current = next ? { element: next, top: next.getBoundingClientRect().top, edge } : null;
    onLoad();
  };
  useLayoutEffect(() => {
    const { current } = held;
    if (!current || current.edge === edge || !scroller.current) return;
    held.current = null;
    return keepInPlace(scroller.current, current.element, () => current.top);
  }, [edge, scroller]);
  useNearView(element, { isWatching: hasMore && !isLoading, after: byHand, onNear: load });
  if (!hasMore) return null;
  return (
    <div ref={element} className={styles.more}>
      <Button size="small" variant="quiet" isBusy={isLoading} onClick={load}>
        {label}
      </Button>
    </div>
  );
}
