import type { Actor } from '../core/actor.ts';
import type { AgentModerationState } from './agent.entity.ts';

interface AgentAccess {
  ownerId: string;
  isPublic: boolean;
  moderationState: AgentModerationState;
}

export const ownsAgent = (actor: Actor, agent: AgentAccess): boolean =>
  actor.kind === 'user' && actor.userId === agent.ownerId;

/** Whether people other than the owner may use a public agent. */
export const isOpen = ({ isPublic, moderationState }: Omit<AgentAccess, 'ownerId'>): boolean =>
  isPublic && (moderationState === 'ok' || moderationState === 'held');

/** Whether the actor may see the agent and talk to it. Its instructions and knowledge are visible to its owner only. */
export const canUseAgent = (actor: Actor, agent: AgentAccess): boolean =>
  actor.kind === 'system' || isOpen(agent) || ownsAgent(actor, agent);
