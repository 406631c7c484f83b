import { Copy, WrapText } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { copyText } from '../../parts/values/copy-text.ts';
import { IconButton } from '../../parts/controls/icon-button.tsx';
import { loadPart } from '../../parts/layers/load-part.ts';
import { texts } from '../texts.ts';
import styles from './markdown.module.css';

interface CodeBlockProps {
  source: string;
  isSettled: boolean;
}

/** Longer code is not highlighted, because that would block the page. */
const maximumColoured = 20_000;

/** Removes the fence, even one that is not closed yet, or the indentation of indented code. */
function codeOf(source: string): { code: string; language: string } {
  const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*\n?/.exec(source);
  if (!fence) return { code: source.replace(/^(?: {4}|\t)/gm, '').trimEnd(), language: '' };
  const [open, mark = '', language = ''] = fence;
  const close = new RegExp(`\\n? {0,3}[${mark[0]}]{${mark.length},}[ \\t]*\\s*$`);
  return { code: source.slice(open.length).replace(close, '').replace(/\n$/, ''), language: language.toLowerCase() };
}

export const CodeBlock = memo(function CodeBlock({ source, isSettled }: CodeBlockProps) {
  const { code, language } = codeOf(source);
  const element = useRef<HTMLElement>(null);
  const [isWrapped, setWrapped] = useState(false);
  useEffect(() => {
    if (!isSettled || language === '' || code.length > maximumColoured) return;
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
