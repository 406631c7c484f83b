import type { Actor } from '../core/actor.ts';

/** Returns whether the actor may see, change and delete the embed and its visitors. */
export const ownsEmbed = (actor: Actor, embed: { ownerId: string }): boolean =>
  actor.kind === 'user' && actor.userId === embed.ownerId;
