import type { Actor } from '../core/actor.ts';

/** See it, change it, and everything else: a webhook is its owner's alone. */
export const ownsWebhook = (actor: Actor, webhook: { userId: string }): boolean =>
  actor.kind === 'user' && actor.userId === webhook.userId;
