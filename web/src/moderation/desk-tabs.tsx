import { Link } from '@tanstack/react-router';
import type { ModerationCaseState } from '../api/generated/operations.ts';
import { Tabs } from '../parts/page/tabs.tsx';
import { texts } from './texts.ts';
import styles from '../parts/page/page.module.css';

const states: readonly (readonly [ModerationCaseState | undefined, string])[] = [
  [undefined, texts.open],
  ['APPEALED', texts.appeals],
  ['CLOSED', texts.closed],
];

/** Tabs of the moderators' lists. */
export const DeskTabs = () => (
  <Tabs label={texts.moderation}>
    {states.map(([state, label]) => (
      <Link
        key={label}
        to="/moderation"
        search={{ state }}
        className={styles.tab}
        activeProps={{ className: styles.active }}
        activeOptions={{ exact: true, includeSearch: true }}
      >
        {label}
      </Link>
    ))}
    <Link to="/moderation/featured" className={styles.tab} activeProps={{ className: styles.active }}>
      {texts.featured}
    </Link>
  </Tabs>
);
