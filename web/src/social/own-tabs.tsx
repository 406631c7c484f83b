import { Link } from '@tanstack/react-router';
import { Tabs } from '../parts/page/tabs.tsx';
import { ownNavItems } from './own-nav-items.ts';
import { texts } from './texts.ts';
import styles from '../parts/page/page.module.css';

/** Tabs of the person's own lists. */
export const OwnTabs = () => (
  <Tabs label={texts.yourLists}>
    {ownNavItems.map(({ to, label }) => (
      <Link key={to} to={to} className={styles.tab} activeProps={{ className: styles.active }}>
        {label}
      </Link>
    ))}
  </Tabs>
);
