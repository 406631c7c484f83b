import type { Actor } from '../core/actor.ts';

interface AgentAccess {
  ownerId: string;
  isPublic: boolean;
}

export const ownsAgent = (actor: Actor, agent: AgentAccess): boolean =>
  actor.kind === 'user' && actor.userId === agent.ownerId;

/** Whether the actor may see the agent and talk to it. Its instructions and knowledge are visible to its owner only. */
export const canUseAgent = (actor: Actor, agent: AgentAccess): boolean =>
  actor.kind === 'system' || agent.isPublic || ownsAgent(actor, agent);
