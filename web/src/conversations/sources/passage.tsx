import type { ReactNode } from 'react';
import { fillIn } from '../../parts/values/fill-in.tsx';
import type { Citation } from './sources.ts';
import { texts } from '../texts.ts';
import styles from './citations.module.css';

/** A passage of a document that a reply used. */
export function Passage({ citation, children }: { citation: Citation; children?: ReactNode }) {
  const { filename, place, chunkIndex, excerpt } = citation;
  return (
    <section className={styles.passage}>
      <h3>
        {fillIn(texts.passage, {
          filename: <bdi>{filename}</bdi>,
          place: <bdi>{place || texts.passageNumber(chunkIndex + 1)}</bdi>,
        })}
      </h3>
      <p dir="auto">{excerpt ?? texts.documentGone}</p>
      {children}
    </section>
  );
}
