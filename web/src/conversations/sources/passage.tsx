import type { ReactNode } from 'react';
import { fillIn } from '../../parts/values/fill-in.tsx';
import type { Citation } from './sources.ts';
import { texts } from '../texts.ts';
import styles from './citations.module.css';

/** A passage of a document that a reply used. */
export const Passage = ({ citation, children }: { citation: Citation; children?: ReactNode }) => (
  <section className={styles.passage}>
    <h3>{fillIn(texts.passage, { filename: <bdi>{citation.filename}</bdi>, value: citation.chunkIndex + 1 })}</h3>
    <p dir="auto">{citation.excerpt ?? texts.documentGone}</p>
    {children}
  </section>
);
