import type { ReactNode } from 'react';
import styles from './status.module.css';

export type StatusTone = 'good' | 'bad' | 'warn' | 'info' | 'muted';

/** A state: a word with a coloured dot. Colour is never the only sign. */
export const Status = ({ tone, children }: { tone: StatusTone; children: ReactNode }) => (
  <span className={styles.status} data-tone={tone}>
    <span>{children}</span>
  </span>
);

/** A framed word, such as a scope. */
export const Chip = ({ children }: { children: ReactNode }) => <span className={styles.chip}>{children}</span>;
