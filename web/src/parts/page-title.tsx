import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { setScreenTitle } from './screen-title.ts';
import { texts } from './texts.ts';

interface PageTitleProps {
  /** Title of the window; the heading's text where that is plain. */
  title: string;
  children?: ReactNode;
  isHidden?: boolean;
  className?: string | undefined;
}

let isFirstPage = true;

/** The `h1` of a page. It sets the title of the window and of the top bar, and takes the focus after a navigation. */
export function PageTitle({ title, children, isHidden = false, className }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = texts.agentChat(title);
    setScreenTitle(title);
  }, [title]);
  // With the page, not after it: a moment later the focus may be where the person put it.
  const isShown = useRef(false);
  useLayoutEffect(() => {
    if (isShown.current) return;
    isShown.current = true;
    const { activeElement } = document;
    // A field with autofocus keeps the focus, and so does the first page: the browser starts at its top.
    if (!isFirstPage && (!activeElement || !activeElement.matches('input, textarea'))) heading.current?.focus();
    isFirstPage = false;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={classNames(isHidden && 'visually-hidden', className)} dir="auto">
      {children ?? title}
    </h1>
  );
}
