import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ServiceDocument } from '../../api/generated/operations.ts';
import { query } from '../../api/query.ts';
import { localSettingsItem, settingsItems } from './settings-items.ts';
import { Tabs } from './tabs.tsx';
import { texts } from '../texts.ts';
import styles from './page.module.css';

/** Tabs of the account's settings. The last one is shown only in the embedded profile, which simulates other services. */
export function SettingsTabs() {
  const { data } = useQuery({ ...query(ServiceDocument, {}), staleTime: Infinity });
  const shown = data?.service.profile === 'embedded' ? [...settingsItems, localSettingsItem] : settingsItems;
  return (
    <Tabs label={texts.settings}>
      {shown.map(({ to, label }) => (
        <Link key={to} to={to} className={styles.tab} activeProps={{ className: styles.active }}>
          {label}
        </Link>
      ))}
    </Tabs>
  );
}
