import type { ReactNode } from 'react';
import styles from './tile.module.css';

/** Key figures, side by side. */
export const Tiles = ({ children }: { children: ReactNode }) => <dl className={styles.tiles}>{children}</dl>;

export const Tile = ({ label, children, note }: { label: string; children: ReactNode; note?: ReactNode }) => (
  <div className={styles.tile}>
    <dt>{label}</dt>
    <dd>{children}</dd>
    {note && <dd className={styles.note}>{note}</dd>}
  </div>
);
