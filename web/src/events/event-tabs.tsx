import { Link } from '@tanstack/react-router';
import { common } from '../parts/common-texts.ts';
import { texts } from './texts.ts';
import styles from '../parts/page.module.css';

export const EventTabs = () => (
  <nav className={styles.tabs} aria-label={common.events}>
    <Link
      to="/events"
      activeOptions={{ exact: true, includeSearch: false }}
      className={styles.tab}
      activeProps={{ className: styles.active }}
    >
      {texts.live}
    </Link>
    <Link to="/events/catalog" className={styles.tab} activeProps={{ className: styles.active }}>
      {texts.catalog}
    </Link>
  </nav>
);
