import type { ReactNode } from 'react';
import styles from './dialog.module.css';

/** The buttons at the end of a dialog; the primary one comes last. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions} data-actions="">
    {children}
  </div>
);
