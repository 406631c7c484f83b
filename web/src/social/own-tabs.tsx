import { Link } from '@tanstack/react-router';
import { Tabs } from '../parts/tabs.tsx';
import { ownPlaces } from './own-places.ts';
import { texts } from './texts.ts';
import styles from '../parts/page.module.css';

/** Tabs of the person's own lists. */
export const OwnTabs = () => (
  <Tabs label={texts.yourLists}>
    {ownPlaces.map(({ to, label }) => (
      <Link key={to} to={to} className={styles.tab} activeProps={{ className: styles.active }}>
        {label}
      </Link>
    ))}
  </Tabs>
);
