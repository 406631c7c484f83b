import { texts } from './texts.ts';

/** The screens of the person's likes, followed accounts and followers. */
export const ownNavItems = [
  { to: '/me/likes', label: texts.likes },
  { to: '/me/following', label: texts.followingTitle },
  { to: '/me/followers', label: texts.followersTitle },
] as const;
