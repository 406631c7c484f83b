import type { ReactNode } from 'react';
import { PageTitle } from './page-title.tsx';
import styles from './page.module.css';

interface PageProps {
  title: string;
  lead?: ReactNode;
  /** The primary action, at the end of the heading. */
  action?: ReactNode;
  /** Shown below the heading at full width. */
  tabs?: ReactNode;
  /** Uses the full width of the window, for content in columns. */
  isWide?: boolean;
  children: ReactNode;
}

/** A page with a heading and content of a readable width. */
export const Page = ({ title, lead, action, tabs, isWide, children }: PageProps) => (
  <div className={styles.page} data-wide={isWide || undefined}>
    <header className={styles.header}>
      <div className={styles.names}>
        <PageTitle title={title} className={styles.title} />
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </header>
    {tabs}
    {children}
  </div>
);
