import { Skeleton } from '../../parts/lists/skeleton.tsx';
import styles from './screen-pending.module.css';

/** Shown in place of a screen that takes long to load. */
export const ScreenPending = () => (
  <div className={styles.screen}>
    <Skeleton lines={['30%', '100%', '85%', '60%']} height={20} />
  </div>
);
