import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ServiceDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { common } from './common-texts.ts';
import { Tabs } from './tabs.tsx';
import { texts } from './texts.ts';
import styles from './page.module.css';

const tabs = [
  { to: '/settings/profile', label: texts.profile },
  { to: '/settings/security', label: texts.security },
  { to: '/settings/sharing', label: texts.sharing },
  { to: '/settings/reports', label: texts.reports },
  { to: '/settings/billing', label: common.billing },
  { to: '/settings/data', label: texts.data },
  { to: '/settings/preferences', label: common.preferences },
] as const;

const local = { to: '/settings/local', label: texts.localProfile } as const;

/** Tabs of the account's settings. The last one is shown only in the embedded profile, which simulates other services. */
export function SettingsTabs() {
  const { data } = useQuery({ ...query(ServiceDocument, {}), staleTime: Infinity });
  const shown = data?.service.profile === 'embedded' ? [...tabs, local] : tabs;
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
