import { Copy, WrapText } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { copyText } from '../../parts/values/copy-text.ts';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { loadPart } from '../../parts/layers/load-part.ts';
import { texts } from '../texts.ts';
import styles from './markdown.module.css';

interface CodeBlockProps {
  code: string;
  /** The text after the opening fence; empty for indented code. */
  language: string;
  isSettled: boolean;
}

/** Longer code and code with longer lines is not highlighted, because that would block the page. */
const maxHighlightedLength = 10_000;
const longLine = /[^\n]{500}/;

export const CodeBlock = memo(function CodeBlock({ code: text, language: info, isSettled }: CodeBlockProps) {
  const code = text.replace(/\n$/, '');
  const [language = ''] = info.toLowerCase().split(/\s/);
  const element = useRef<HTMLElement>(null);
  const [isWrapped, setWrapped] = useState(false);
  useEffect(() => {
    if (!isSettled || language === '' || code.length > maxHighlightedLength || longLine.test(code)) return;
    const colour = async (): Promise<void> => {
      const { highlight } = await loadPart(() => import('./highlight.ts'));
      if (element.current) highlight(element.current, code, language);
    };
    const idle = whenIdle(() => void colour().catch(() => undefined));
    return () => idle.cancel();
  }, [code, language, isSettled]);
  return (
    <figure className={styles.code} dir="ltr">
      <figcaption className={styles.codeHead}>
        <span>{language || 'text'}</span>
        <IconButton
          size="small"
          label={isWrapped ? texts.notWrapLines : texts.wrapLines}
          onClick={() => setWrapped(!isWrapped)}
        >
          <WrapText size={16} />
        </IconButton>
        <IconButton size="small" label={texts.copyCode} onClick={() => void copyText(code)}>
          <Copy size={16} />
        </IconButton>
      </figcaption>
      <pre tabIndex={0} aria-label={texts.code(language || 'text')} role="group" data-wrap={isWrapped || undefined}>
        {/* React sets the text while it grows. The key remounts it before highlighting changes its elements. */}
        <code ref={element} key={isSettled ? 'settled' : 'growing'}>
          {code}
        </code>
      </pre>
    </figure>
  );
});

/** Safari has no idle callback. */
function whenIdle(work: () => void): { cancel(): void } {
  if ('requestIdleCallback' in globalThis) {
    const id = requestIdleCallback(work);
    return { cancel: () => cancelIdleCallback(id) };
  }
  const id = setTimeout(work, 50);
  return { cancel: () => clearTimeout(id) };
}
