import { texts } from '../texts.ts';
import styles from './progress.module.css';

/** A line at the top of the window while the next screen loads. */
export const Progress = ({ isShown }: { isShown: boolean }) => (
  <div role="status">
    {isShown && (
      <div className={styles.line}>
        <span className="visually-hidden">{texts.loading}</span>
      </div>
    )}
  </div>
);
