import { texts } from '../texts.ts';
import styles from './skeleton.module.css';

interface SkeletonProps {
  /** CSS width of each bar. */
  lines: readonly string[];
  height?: number;
}

/** A placeholder in the shape of what is loading. It appears after 150 ms, so quick responses show none. */
export const Skeleton = ({ lines, height = 14 }: SkeletonProps) => (
  <div className={styles.skeleton} aria-busy="true">
    <span className="visually-hidden">{texts.loading}</span>
    {lines.map((width, line) => (
      <div key={line} style={{ inlineSize: width, blockSize: height }} />
    ))}
  </div>
);
