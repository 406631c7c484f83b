import { type RefObject, useEffect, useState } from 'react';

interface RowWindow {
  start: number;
  end: number;
  /** Height in pixels of the omitted rows before and after the window. */
  before: number;
  after: number;
}

/** Up to this many rows are all rendered, so that the browser's page search finds them. */
const allUpTo = 100;
const overscan = 20;
const estimatedHeight = 44;

/** Returns which rows of a long table to render: those in view and some more. All rows must have the same height. */
export function useRowWindow(count: number, body: RefObject<HTMLTableSectionElement | null>): RowWindow {
  const [{ first, visible, height }, setView] = useState({ first: 0, visible: allUpTo, height: estimatedHeight });
  const isWindowed = count > allUpTo;
  useEffect(() => {
    const scroller = body.current?.closest('main');
    if (!isWindowed || !scroller) return;
    const measure = (): void => {
      if (!body.current) return;
      const row = body.current.querySelector('tr:not([aria-hidden])');
      const rowHeight = row?.getBoundingClientRect().height || estimatedHeight;
      const above = scroller.getBoundingClientRect().top - body.current.getBoundingClientRect().top;
      setView({
        first: Math.max(0, Math.floor(above / rowHeight)),
        visible: Math.ceil(scroller.clientHeight / rowHeight),
        height: rowHeight,
      });
    };
    measure();
    scroller.addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      scroller.removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [isWindowed, body]);
  if (!isWindowed) return { start: 0, end: count, before: 0, after: 0 };
  const start = Math.max(0, Math.min(first, count - visible) - overscan);
  const end = Math.min(count, first + visible + overscan);
  return { start, end, before: start * height, after: (count - end) * height };
}
