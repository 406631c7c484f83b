import { Children, type ReactNode } from 'react';
import styles from './page.module.css';

const showCurrent = (tabs: HTMLElement | null): void =>
  tabs?.querySelector('[aria-current=page]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' });

/** Links between related pages. On touch devices they are one line that scrolls to the current page. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav key={Children.toArray(children).length} ref={showCurrent} className={styles.tabs} aria-label={label}>
    {children}
  </nav>
);
