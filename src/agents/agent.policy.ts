import type { Actor } from '../core/actor.ts';

interface AgentAccess {
  ownerId: string;
  isPublic: boolean;
}

export const ownsAgent = (actor: Actor, agent: AgentAccess): boolean =>
  actor.kind === 'user' && actor.userId === agent.ownerId;

/** See it, and talk to it. Its instructions and knowledge stay its owner's. */
export const canUseAgent = (actor: Actor, agent: AgentAccess): boolean =>
  actor.kind === 'system' || agent.isPublic || ownsAgent(actor, agent);
