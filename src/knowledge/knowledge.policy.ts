import type { Actor } from '../core/actor.ts';

/** An agent's knowledge is its owner's alone, even when the agent is public. */
export const ownsKnowledge = (actor: Actor, agent: { ownerId: string }): boolean =>
  actor.kind === 'user' && actor.userId === agent.ownerId;
