import type { Actor } from '../core/actor.ts';

/** Only the owner may access an agent's knowledge, even when the agent is public. */
export const ownsKnowledge = (actor: Actor, agent: { ownerId: string }): boolean =>
  actor.kind === 'user' && actor.userId === agent.ownerId;
