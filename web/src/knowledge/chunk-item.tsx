import type { ReactNode } from 'react';
import type { DocumentChunksQuery } from '../api/generated/operations.ts';
import { texts } from './texts.ts';
import styles from './chunks.module.css';

interface ChunkItemProps {
  chunk: DocumentChunksQuery['documentChunks']['data'][number];
  q: string | undefined;
  /** Whether the page was opened at this passage. */
  isFound: boolean;
}

/** A passage with its number, its size and its overlap with the previous one. */
export const ChunkItem = ({ chunk, q, isFound }: ChunkItemProps) => {
  const { chunkIndex, place, content, tokens, overlap } = chunk;
  return (
    <li
      className={styles.chunk}
      aria-current={isFound || undefined}
      ref={isFound ? (element) => element?.scrollIntoView({ block: 'center' }) : undefined}
    >
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
        <span className={styles.overlap}>{marked(content.slice(0, overlap), q)}</span>
        {marked(content.slice(overlap), q)}
      </p>
    </li>
  );
};

/** Marks each occurrence of `q` in a text, ignoring case. */
function marked(text: string, q: string | undefined): ReactNode {
  if (!q) return text;
  const pattern = new RegExp(`(${q.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)})`, 'giu');
  // `split` returns the captured matches at odd positions.
  return text.split(pattern).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}
