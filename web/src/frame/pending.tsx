import { sessionState } from '../api/session.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { isOpenToAll } from './session-guard.ts';
import styles from './pending.module.css';

/** Shown in place of a screen that takes long to load. */
export const ScreenPending = () => (
  <div className={styles.screen}>
    <Skeleton lines={['30%', '100%', '85%', '60%']} height={20} />
  </div>
);

/** Outline of the frame, shown until the frame and its first screen are loaded. Guests of a public screen get no sidebar. */
export function FramePending() {
  if (sessionState() !== 'active' && isOpenToAll(location.pathname)) return <ScreenPending />;
  return (
    <div className={styles.frame}>
      <div className={styles.side} />
      <ScreenPending />
    </div>
  );
}
