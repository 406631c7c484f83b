import { Children, type ReactNode } from 'react';
import styles from './page.module.css';

const showCurrent = (tabs: HTMLElement | null): void =>
  tabs?.querySelector('[aria-current=page]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' });

/** The way between pages that belong together. On touch they are one line, which scrolls to the current one. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav key={Children.toArray(children).length} ref={showCurrent} className={styles.tabs} aria-label={label}>
    {children}
  </nav>
);
