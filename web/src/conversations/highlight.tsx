import { useLayoutEffect, useRef } from 'react';
import { setMarkdownHtml } from '../chat/sanitize.ts';
import styles from './search-page.module.css';

/** Found text with its marks. The service escapes it; it is cleaned here all the same. */
export function Highlight({ html }: { html: string }) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (element.current) setMarkdownHtml(element.current, html);
  }, [html]);
  return <span ref={element} dir="auto" className={styles.text} />;
}
