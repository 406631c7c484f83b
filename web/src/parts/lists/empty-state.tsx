import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Shown for an empty list: its purpose, and one action. */
export const EmptyState = ({ icon, title, children, action }: EmptyStateProps) => (
  <div className={styles.empty}>
    <div className={styles.icon}>{icon}</div>
    <h2>{title}</h2>
    {children && <div className={styles.text}>{children}</div>}
    {action}
  </div>
);
