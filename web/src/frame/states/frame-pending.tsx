import { sessionState } from '../../api/session.ts';
import { isOpenToAll } from '../session-guard.ts';
import styles from './frame-pending.module.css';

/** Outline of the frame, shown until the frame and its first screen are loaded. Guests of a public screen get none. */
export const FramePending = () =>
  sessionState() !== 'active' && isOpenToAll(location.pathname) ? null : (
    <div className={styles.frame} aria-busy="true">
      <div className={styles.side} />
      <div className={styles.lines} />
    </div>
  );
