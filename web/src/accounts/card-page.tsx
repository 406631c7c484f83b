import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Logo } from '../parts/logo.tsx';
import { PageTitle } from '../parts/page/page-title.tsx';
import { texts } from './texts.ts';
import styles from './card-page.module.css';

interface CardPageProps {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  /** Below the card: links to the other pages. */
  footer?: ReactNode;
}

/** Layout of every page without a session: one centred card. */
export const CardPage = ({ title, lead, children, footer }: CardPageProps) => (
  <div className={styles.page}>
    <header className={styles.header}>
      <Link to="/" className={styles.product}>
        <Logo />
        {texts.agentChat}
      </Link>
    </header>
    <main className={styles.main}>
      <div className={styles.card}>
        <PageTitle title={title} className={styles.title} />
        {lead && <p className={styles.lead}>{lead}</p>}
        {children}
      </div>
      {footer && <div className={styles.footer}>{footer}</div>}
    </main>
  </div>
);
