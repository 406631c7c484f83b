import type { ReactNode } from 'react';
import styles from './status.module.css';

export type StatusTone = 'good' | 'bad' | 'warn' | 'info' | 'muted';

/** A state: always a word, with a dot in the colour of its tone. */
export const Status = ({ tone, children }: { tone: StatusTone; children: ReactNode }) => (
  <span className={styles.status} data-tone={tone}>
    {children}
  </span>
);

/** A word in a frame, such as a scope. */
export const Chip = ({ children }: { children: ReactNode }) => <span className={styles.chip}>{children}</span>;
