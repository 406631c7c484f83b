import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Block, BlockReader } from './blocks.ts';
import { loadPart } from '../../parts/layers/load-part.ts';
import { CodeBlock } from './code-block.tsx';
import { markdownHtml } from './markdown-html.ts';
import { setMarkdownHtml } from './sanitize.ts';
import { drawSourceMarks, type ReplySource, withoutSourceMarks, withSourceMarks } from './source-marks.ts';
import { texts } from '../texts.ts';
import styles from './markdown.module.css';

interface MarkdownProps {
  text: string;
  isComplete: boolean;
  sources?: Sources | undefined;
}

/** The sources of a reply, and a function that opens one by its index. A new object only when the sources change. */
export interface Sources {
  list: readonly ReplySource[];
  open: (index: number) => void;
}

/** Markdown in blocks. While the text grows, the elements of settled blocks do not change. */
export function Markdown({ text, isComplete, sources }: MarkdownProps) {
  const [reader] = useState(() => new BlockReader());
  const blocks = reader.read(sources ? withSourceMarks(text, sources.list) : text, isComplete);
  return (
    <div className={styles.markdown}>
      {blocks.map((block, index) => (
        <BlockView key={index} kind={block.kind} source={block.source} isSettled={block.isSettled} sources={sources} />
      ))}
    </div>
  );
}

type BlockProps = Block & Pick<MarkdownProps, 'sources'>;

const BlockView = memo(function BlockView({ kind, source, isSettled, sources }: BlockProps) {
  if (kind === 'code')
    return <CodeBlock source={sources ? withoutSourceMarks(source) : source} isSettled={isSettled} />;
  const html = <HtmlBlock source={source} isSettled={isSettled} sources={sources} />;
  if (kind === 'markdown') return html;
  return (
    <div className={styles.table} role="region" aria-label={texts.table} tabIndex={0}>
      {html}
    </div>
  );
});

function HtmlBlock({ source, isSettled, sources }: Omit<BlockProps, 'kind'>) {
  const element = useRef<HTMLDivElement>(null);
  // A block without a mark need not be rendered again when the reply gets its sources.
  const marked = sources && source.includes('【') ? sources : undefined;
  useLayoutEffect(() => {
    if (!element.current) return;
    setMarkdownHtml(element.current, markdownHtml(source, marked !== undefined));
    if (marked) drawSourceMarks(element.current, marked.list, marked.open, styles.mark);
  }, [source, marked]);
  useEffect(() => {
    const block = element.current;
    if (!isSettled || !block?.querySelector('.language-math, .language-math-display')) return;
    loadPart(() => import('./formulas.ts')).then(
      ({ drawFormulas }) => drawFormulas(block),
      // The source of the formulas stays visible; the notice of a new version explains why.
      () => undefined,
    );
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each change writes the HTML again, without formulas
  }, [isSettled, source, marked]);
  return <div ref={element} dir="auto" className={styles.block} />;
}
