import { useLayoutEffect, useRef } from 'react';
import { plainHighlight } from '../../chat/markdown/plain-text.ts';
import { setMarkdownHtml } from '../../chat/markdown/sanitize.ts';
import styles from './search-page.module.css';

/** Shows found text with its matches marked and without Markdown syntax. The service escapes the HTML; it is sanitized here as well. */
export function Highlight({ html }: { html: string }) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (element.current) setMarkdownHtml(element.current, plainHighlight(html));
  }, [html]);
  return <span ref={element} dir="auto" className={styles.text} />;
}
