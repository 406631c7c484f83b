import type { ReactNode } from 'react';
import styles from './dialog.module.css';

/** The actions of a dialog, at its end; the main one last. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions} data-actions="">
    {children}
  </div>
);
