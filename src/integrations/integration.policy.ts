import type { Actor } from '../core/actor.ts';

/** Returns whether the actor may read, change, test and delete the integration. */
export const ownsIntegration = (actor: Actor, integration: { ownerId: string }): boolean =>
  actor.kind === 'user' && actor.userId === integration.ownerId;
