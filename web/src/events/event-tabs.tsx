import { Link } from '@tanstack/react-router';
import { common } from '../parts/common-texts.ts';
import { Tabs } from '../parts/page/tabs.tsx';
import { texts } from './texts.ts';
import styles from '../parts/page/page.module.css';

export const EventTabs = () => (
  <Tabs label={common.events}>
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
  </Tabs>
);
