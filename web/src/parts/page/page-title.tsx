import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { setScreenTitle } from './screen-title.ts';
import { texts } from '../texts.ts';

interface PageTitleProps {
  /** Title of the window, and the heading's text when there are no children. */
  title: string;
  children?: ReactNode;
  isHidden?: boolean;
  className?: string | undefined;
}

let isFirstPage = true;

/** The `h1` of a page. Sets the title of the window and of the top bar, and receives the focus after a navigation. */
export function PageTitle({ title, children, isHidden = false, className }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = texts.agentChat(title);
    setScreenTitle(title);
  }, [title]);
  // Focus on the first render, not later, when the person may already have moved the focus.
  const isShown = useRef(false);
  useLayoutEffect(() => {
    if (isShown.current) return;
    isShown.current = true;
    const { activeElement } = document;
    // A field with autofocus keeps the focus. On the first page the browser starts at the top anyway.
    if (!isFirstPage && (!activeElement || !activeElement.matches('input, textarea'))) heading.current?.focus();
    isFirstPage = false;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={classNames(isHidden && 'visually-hidden', className)} dir="auto">
      {children ?? title}
    </h1>
  );
}
