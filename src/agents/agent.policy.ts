import { type Actor, owns } from '../core/actor.ts';
import type { AgentModerationState } from './agent.entity.ts';

interface AgentAccess {
  ownerId: string;
  isPublic: boolean;
  moderationState: AgentModerationState;
}

/** Returns whether users other than the owner may use the agent. */
export const isOpen = ({ isPublic, moderationState }: Omit<AgentAccess, 'ownerId'>): boolean =>
  isPublic && (moderationState === 'ok' || moderationState === 'held');

/**
 * Returns whether the actor may see the agent and chat with it. Its instructions and knowledge are visible only to its
 * owner.
 */
export const canUseAgent = (actor: Actor, agent: AgentAccess): boolean =>
  actor.kind === 'system' || isOpen(agent) || owns(actor, agent.ownerId);
