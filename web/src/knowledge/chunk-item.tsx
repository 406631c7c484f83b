import type { DocumentChunksQuery } from '../api/generated/operations.ts';
import { marked } from '../parts/values/marked.tsx';
import { escaped } from '../parts/values/words-pattern.ts';
import { texts } from './texts.ts';
import styles from './chunks.module.css';

interface ChunkItemProps {
  chunk: DocumentChunksQuery['documentChunks']['data'][number];
  q: string | undefined;
  /** Whether the page was opened at this passage. */
  isFound: boolean;
  /** Whether to show only its text, without what repeats the passage before, after its location. */
  isText: boolean;
}

// React calls a ref that stays the same only when the element appears.
const showInMiddle = (element: Element | null): void => element?.scrollIntoView({ block: 'center' });

/** A passage with its number, its size and its overlap with the previous one. */
export const ChunkItem = ({ chunk, q, isFound, isText }: ChunkItemProps) => {
  const { chunkIndex, place, content, tokens, overlap } = chunk;
  const shown = (text: string) => (q ? marked(text, new RegExp(`(${escaped(q)})`, 'giu')) : text);
  const isCurrent = isFound || undefined;
  if (isText) {
    return (
      <li className={styles.text} aria-current={isCurrent} ref={isFound ? showInMiddle : undefined}>
        {place && <bdi className={styles.place}>{place}</bdi>}
        <p dir="auto">{content.slice(overlap).trim()}</p>
      </li>
    );
  }
  return (
    <li className={styles.chunk} aria-current={isCurrent} ref={isFound ? showInMiddle : undefined}>
      <header>
        <span>
          {texts.passageNumber(chunkIndex + 1)}
          {place && (
            <>
              {' · '}
              <bdi>{place}</bdi>
            </>
          )}
        </span>
        <span>
          {texts.tokens(tokens)}
          {overlap > 0 && texts.greyTextRepeatsPassage}
        </span>
      </header>
      <p dir="auto">
        <span className={styles.overlap}>{shown(content.slice(0, overlap))}</span>
        {shown(content.slice(overlap))}
      </p>
    </li>
  );
};
