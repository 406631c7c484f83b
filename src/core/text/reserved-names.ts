import { nameSkeleton } from './look-alikes.ts';

/** Names of pages and of the service. */
const reserved = new Set(
  `about account accounts admin administrator agent agents api app apps auth billing blog categories category chat console
  contact create creator creators dashboard dev docs download edit embed embeds explore faq featured feed graphql guide health
  help home image images index integrations knowledge legal likes listing listings login logout mail market marketplace
  messages metrics moderation moderator moderators new news null official openapi pricing privacy profile profiles register
  reports review reviews robots root rooms search security service session settings share shares sitemap social socket staff
  static status store studio support system team terms trending undefined user users v1 voice webhooks widget www`
    .split(/\s+/)
    .map(nameSkeleton),
);

const skeletons = (words: string): string => words.split(' ').map(nameSkeleton).join('|');
const service = nameSkeleton('Agent Chat');
const office = skeletons(
  'administrator administration administrators admins admin moderators moderation moderator official staff support team security ' +
    'helpdesk billing',
);
const role = `${office}|${skeletons('mods mod system help root sysadmin webmaster postmaster abuse')}`;
const filler = skeletons('the of customer customers account accounts user users service agent chat bot desk');
const hasOffice = new RegExp(office, 'u');
const isRole = new RegExp(`^(?:${filler})*(?:${role})(?:${filler}|${role})*$`, 'u');

/** Returns whether a name, as it looks, is one of a page or of the service, or one of the protected names. */
export const isReservedName = (name: string, protectedNames: readonly string[]): boolean =>
  reserved.has(nameSkeleton(name)) || claimsRole(name) || impersonates(name, protectedNames);

/** Returns whether a name consists of an office in the service and nothing else, such as `Admin` or `Support Team`. */
export const claimsRole = (name: string): boolean => isRole.test(nameSkeleton(name));

/**
 * Returns whether a name looks like that of the service or a protected name, alone or with an office, such as
 * `Agent Chat Support`.
 */
export function impersonates(name: string, protectedNames: readonly string[]): boolean {
  const skeleton = nameSkeleton(name);
  return [service, `${service}${nameSkeleton('Service')}`, ...protectedNames.map(nameSkeleton)].some(
    (other) => other !== '' && (skeleton === other || (skeleton.includes(other) && hasOffice.test(skeleton))),
  );
}
