import { useModerator } from '../../moderation/use-moderator.ts';
import { moderation, navItems } from './nav-items.ts';

type NavItem = (typeof navItems)[number] | typeof moderation;

/** The screens of the sidebar and the palette for this person. */
export const useNavItems = (): readonly NavItem[] => (useModerator() ? [...navItems, moderation] : navItems);
