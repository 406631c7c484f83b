import { common } from '../../parts/common-texts.ts';
import { localSettingsItem, settingsItems } from '../../parts/page/settings-items.ts';
import { ownNavItems } from '../../social/own-nav-items.ts';
import { moderation, navItems } from '../sidebar/nav-items.ts';
import { texts as shared } from '../texts.ts';
import { texts } from './texts.ts';

/** The screens that everyone can go to. */
export const screens = [
  ...navItems,
  { to: '/search', label: common.search },
  { to: '/agents/new', label: texts.newAgent },
  { to: '/studio', label: texts.analyticsOfAgents },
  { to: '/events/catalog', label: texts.eventCatalog },
  ...ownNavItems,
  ...settingsItems.map((item) => ({ ...item, hint: shared.settings })),
] as const;

export const moderatorScreens = [
  moderation,
  { to: '/moderation/featured', label: texts.featured, hint: shared.moderation },
] as const;

/** Only in the embedded profile. */
export const localScreens = [{ ...localSettingsItem, hint: shared.settings }] as const;
