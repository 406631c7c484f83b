import { texts } from './texts.ts';

/** The screens of what the person likes and follows, and who follows them. */
export const ownNavItems = [
  { to: '/me/likes', label: texts.likes },
  { to: '/me/following', label: texts.followingTitle },
  { to: '/me/followers', label: texts.followersTitle },
] as const;
