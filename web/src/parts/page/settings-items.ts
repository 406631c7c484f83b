import { common } from '../common-texts.ts';
import { texts } from '../texts.ts';

/** The screens of the account's settings. */
export const settingsItems = [
  { to: '/settings/profile', label: texts.profile },
  { to: '/settings/security', label: texts.security },
  { to: '/settings/sharing', label: texts.sharing },
  { to: '/settings/reports', label: texts.reports },
  { to: '/settings/billing', label: common.billing },
  { to: '/settings/data', label: texts.data },
  { to: '/settings/preferences', label: common.preferences },
] as const;

/** Only in the embedded profile, which simulates other services. */
export const localSettingsItem = { to: '/settings/local', label: texts.localProfile } as const;
