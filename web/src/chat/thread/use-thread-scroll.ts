import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { preferences } from '../../preferences/preferences.ts';

interface ThreadScroll {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** Fills the height that the last question needs to be scrolled to the top, so that the reply grows below it. */
  spacer: RefObject<HTMLDivElement | null>;
  canGoToEnd: boolean;
  goToEnd: () => void;
}

const topMargin = 20;
const nearEnd = 80;

/** Scrolls a thread: to its end when opened, and to the question when one is sent, until the reader scrolls. */
export function useThreadScroll(anchorKey: string | null, isReady: boolean, startsElsewhere: boolean): ThreadScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  /** A key, not an element: a stored message may take over the elements of the one just sent. */
  const anchor = useRef<string | null>(null);
  const isFollowing = useRef(!startsElsewhere);
  /** While true, the question stays at the top, even when heights around it change. The reader's scrolling ends it. */
  const isPinned = useRef(false);
  const [canGoToEnd, setCanGoToEnd] = useState(false);

  const settle = useCallback(() => {
    const view = scroller.current;
    const body = content.current;
    if (!view || !body || !spacer.current) return;
    const bottom = body.offsetTop + body.offsetHeight;
    const question = findAnchor(body, anchor.current);
    const missing = question ? view.clientHeight - (bottom - question.offsetTop) - topMargin : 0;
    spacer.current.style.blockSize = `${Math.max(0, missing)}px`;
    if (isPinned.current && question) view.scrollTop = question.offsetTop - topMargin;
    else if (isFollowing.current) view.scrollTop = bottom - view.clientHeight + topMargin;
    setCanGoToEnd(bottom - view.scrollTop - view.clientHeight > nearEnd);
  }, []);

  useLayoutEffect(() => {
    if (anchorKey === null || !isReady) return;
    isFollowing.current = preferences().followReplies;
    isPinned.current = !isFollowing.current;
    anchor.current = anchorKey;
    settle();
  }, [anchorKey, isReady, settle]);

  useEffect(() => {
    const view = scroller.current;
    const body = content.current;
    if (!isReady || !view || !body) return;
    settle();
    const sizes = new ResizeObserver(settle);
    sizes.observe(body);
    sizes.observe(view);
    let last = view.scrollTop;
    let lastHeight = 0;
    const onScroll = (): void => {
      const toEnd = body.offsetTop + body.offsetHeight - view.scrollTop - view.clientHeight;
      const height = body.offsetHeight + view.clientHeight;
      // Only scrolling by the reader ends following. The browser also scrolls when heights change.
      if (view.scrollTop < last - 2 && toEnd > 2 && height === lastHeight) isFollowing.current = false;
      last = view.scrollTop;
      lastHeight = height;
      setCanGoToEnd(toEnd > nearEnd);
    };
    const unpin = (): void => {
      isPinned.current = false;
    };
    const onWheel = ({ deltaY }: WheelEvent): void => {
      unpin();
      if (deltaY < 0) isFollowing.current = false;
    };
    view.addEventListener('scroll', onScroll, { passive: true });
    view.addEventListener('wheel', onWheel, { passive: true });
    for (const event of ['touchmove', 'pointerdown', 'keydown']) view.addEventListener(event, unpin, { passive: true });
    return () => {
      sizes.disconnect();
      view.removeEventListener('scroll', onScroll);
      view.removeEventListener('wheel', onWheel);
      for (const event of ['touchmove', 'pointerdown', 'keydown']) view.removeEventListener(event, unpin);
    };
  }, [isReady, settle]);

  const goToEnd = (): void => {
    isPinned.current = false;
    isFollowing.current = true;
    settle();
  };
  return { scroller, content, spacer, canGoToEnd, goToEnd };
}

const findAnchor = (body: HTMLElement, key: string | null): HTMLElement | null =>
  key === null ? null : body.querySelector<HTMLElement>(`[data-key="${key}"]`);
