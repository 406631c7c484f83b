import type { Scope } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { texts } from './texts.ts';

type Access = 'READ' | 'WRITE' | 'USE';

/** Every scope. A missing one is a compile error. */
const all: Readonly<Record<Scope, readonly [area: string, access: Access]>> = {
  AGENTS_READ: [common.agents, 'READ'],
  AGENTS_WRITE: [common.agents, 'WRITE'],
  CONVERSATIONS_READ: [common.conversations, 'READ'],
  CONVERSATIONS_WRITE: [common.conversations, 'WRITE'],
  KNOWLEDGE_READ: [texts.knowledge, 'READ'],
  KNOWLEDGE_WRITE: [texts.knowledge, 'WRITE'],
  STUDIO_READ: [texts.studio, 'READ'],
  STUDIO_WRITE: [texts.studio, 'WRITE'],
  IMAGES_READ: [texts.images, 'READ'],
  IMAGES_WRITE: [texts.images, 'WRITE'],
  VOICE_USE: [common.voice, 'USE'],
  INTEGRATIONS_READ: [common.integrations, 'READ'],
  INTEGRATIONS_WRITE: [common.integrations, 'WRITE'],
  ROOMS_READ: [texts.rooms, 'READ'],
  ROOMS_WRITE: [texts.rooms, 'WRITE'],
  EMBEDS_READ: [texts.embeds, 'READ'],
  EMBEDS_WRITE: [texts.embeds, 'WRITE'],
  EMBEDDINGS_USE: [texts.embeddings, 'USE'],
  SOCIAL_READ: [texts.social, 'READ'],
  SOCIAL_WRITE: [texts.social, 'WRITE'],
  WEBHOOKS_READ: [texts.webhooksEvents, 'READ'],
  WEBHOOKS_WRITE: [texts.webhooksEvents, 'WRITE'],
  BILLING_READ: [common.billing, 'READ'],
  BILLING_WRITE: [common.billing, 'WRITE'],
  ACCOUNT_READ: [texts.account, 'READ'],
  ACCOUNT_WRITE: [texts.account, 'WRITE'],
};

export const scopes = Object.keys(all) as Scope[];

const verbs: Readonly<Record<Access, string>> = {
  READ: texts.verbRead,
  WRITE: texts.verbWrite,
  USE: texts.verbUse,
};

/** The areas in order, each with its scopes and the verb of each. */
export const areas: readonly (readonly [area: string, scopes: readonly { scope: Scope; verb: string }[]])[] = [
  ...Map.groupBy(scopes, (scope) => all[scope][0]),
].map(([area, own]) => [area, own.map((scope) => ({ scope, verb: verbs[all[scope][1]] }))] as const);

/** `AGENTS_READ` as the REST interface names it: `agents:read`. */
export const scopeName = (scope: Scope): string => scope.toLowerCase().replace('_', ':');

export const presets: readonly (readonly [label: string, scopes: readonly Scope[]])[] = [
  [texts.readEverything, scopes.filter((scope) => scope.endsWith('_READ'))],
  [texts.chatOnly, ['AGENTS_READ', 'CONVERSATIONS_READ', 'CONVERSATIONS_WRITE']],
  [texts.knowledgeUpload, ['AGENTS_READ', 'KNOWLEDGE_READ', 'KNOWLEDGE_WRITE']],
];

/** A path of /v1 by area that returns something of every account. `GET` of an area needs one of its scopes. */
const paths: Readonly<Partial<Record<string, string>>> = {
  AGENTS: 'agents',
  CONVERSATIONS: 'conversations',
  STUDIO: 'studio/analytics',
  IMAGES: 'images',
  VOICE: 'voice/voices',
  INTEGRATIONS: 'integrations',
  ROOMS: 'rooms',
  EMBEDS: 'embeds',
  SOCIAL: 'social/following',
  WEBHOOKS: 'webhooks',
  BILLING: 'billing/usage',
  ACCOUNT: 'auth/me',
};

/** Returns a path that a key with these scopes can read. */
export function readablePath(granted: readonly Scope[]): string {
  const areasGranted = granted.map((scope) => scope.slice(0, scope.indexOf('_')));
  const area = Object.keys(paths).find((one) => areasGranted.includes(one));
  // Any key can list the models.
  return `/v1/${area ? paths[area] : 'models'}`;
}
