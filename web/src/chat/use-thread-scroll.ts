import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { preferences } from '../preferences/preferences.ts';

interface ThreadScroll {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** Gives the last question room to stand at the top, so that its reply grows under it and nothing moves. */
  spacer: RefObject<HTMLDivElement | null>;
  canGoToEnd: boolean;
  goToEnd: () => void;
}

const topMargin = 20;
const nearEnd = 80;

/** Where a thread stands: at its end when opened, at the question when one is sent, and after that where the reader put it. */
export function useThreadScroll(anchorKey: string | null, isReady: boolean, startsElsewhere: boolean): ThreadScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  /** Looked up each time: a stored message may take the elements of the one that was just sent. */
  const anchor = useRef<string | null>(null);
  const isFollowing = useRef(!startsElsewhere);
  /** The question stays at the top until the reader scrolls, also while heights around it become known. */
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
      // Where heights change, the browser moves the content as well.
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
