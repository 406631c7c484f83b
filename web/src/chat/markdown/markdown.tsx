import { Component, memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
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

/** Markdown, or its source if that cannot be drawn, so that no text breaks the page around it. */
export const Markdown = (props: MarkdownProps) => (
  <DrawnOrPlain text={props.text}>
    <Blocks {...props} />
  </DrawnOrPlain>
);

class DrawnOrPlain extends Component<{ text: string; children: ReactNode }, { hasFailed: boolean }> {
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override state = { hasFailed: false };

  override render() {
    return this.state.hasFailed ? <PlainText text={this.props.text} /> : this.props.children;
  }
}

const PlainText = ({ text }: { text: string }) => (
  <div dir="auto" className={styles.plain}>
    {text}
  </div>
);

/** Markdown in blocks. While the text grows, the elements of settled blocks do not change. */
function Blocks({ text, isComplete, sources }: MarkdownProps) {
  const [reader] = useState(() => new BlockReader());
  const blocks = reader.read(sources ? withSourceMarks(text, sources.list) : text, isComplete, sources !== undefined);
  return (
    <div className={styles.markdown}>
      {blocks.map(({ kind, source, tokens, isSettled }, index) => (
        <BlockView key={index} kind={kind} source={source} tokens={tokens} isSettled={isSettled} sources={sources} />
      ))}
    </div>
  );
}

type BlockProps = Block & Pick<MarkdownProps, 'sources'>;

const BlockView = memo(function BlockView({ kind, source, tokens, isSettled, sources }: BlockProps) {
  if (kind === 'plain') return <PlainText text={sources ? withoutSourceMarks(source) : source} />;
  const [first] = tokens;
  if (first?.type === 'code')
    return (
      <CodeBlock
        code={sources ? withoutSourceMarks(first['text']) : first['text']}
        language={first['lang'] ?? ''}
        isSettled={isSettled}
      />
    );
  const html = <HtmlBlock kind={kind} source={source} tokens={tokens} isSettled={isSettled} sources={sources} />;
  if (kind === 'markdown') return html;
  return (
    <div className={styles.table} role="region" aria-label={texts.table} tabIndex={0}>
      {html}
    </div>
  );
});

/** Wraps a table inside another block in an element that scrolls by touch and keyboard. */
function makeScrollable(table: Element): void {
  const scroller = document.createElement('div');
  scroller.className = styles.table ?? '';
  scroller.tabIndex = 0;
  scroller.setAttribute('role', 'region');
  scroller.setAttribute('aria-label', texts.table);
  table.replaceWith(scroller);
  scroller.append(table);
}

function HtmlBlock({ kind, source, tokens, isSettled, sources }: BlockProps) {
  const element = useRef<HTMLDivElement>(null);
  // A block without a mark need not be rendered again when the reply gets its sources.
  const marked = sources && source.includes('【') ? sources : undefined;
  useLayoutEffect(() => {
    if (!element.current) return;
    setMarkdownHtml(element.current, markdownHtml(tokens));
    if (kind === 'markdown') element.current.querySelectorAll('table').forEach(makeScrollable);
    if (marked) drawSourceMarks(element.current, marked.list, marked.open, styles.mark);
  }, [kind, tokens, marked]);
  useEffect(() => {
    const block = element.current;
    if (!isSettled || !block?.querySelector('.language-math, .language-math-display')) return;
    loadPart(() => import('./formulas.ts')).then(
      ({ drawFormulas }) => drawFormulas(block),
      // The source of the formulas stays visible; the notice of a new version explains why.
      () => undefined,
    );
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each change writes the HTML again, without formulas
  }, [isSettled, tokens, marked]);
  return <div ref={element} dir="auto" className={styles.block} />;
}
