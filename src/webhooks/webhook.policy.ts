import type { Actor } from '../core/actor.ts';

/** Returns whether the actor may read and change the webhook. Only its owner may. */
export const ownsWebhook = (actor: Actor, webhook: { userId: string }): boolean =>
  actor.kind === 'user' && actor.userId === webhook.userId;
