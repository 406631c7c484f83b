import type { Actor } from '../core/actor.ts';

/** See it, change it, test it, remove it. */
export const ownsIntegration = (actor: Actor, integration: { ownerId: string }): boolean =>
  actor.kind === 'user' && actor.userId === integration.ownerId;
