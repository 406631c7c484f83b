import type { Agent } from './agent.entity.ts';

/** The agent as its owner sees it, in event data. `sequence` grows by one with each event of the agent. */
export interface AgentEventData {
  id: string;
  name: string;
  description: string | null;
  instructions: string;
  model: string;
  avatarUrl: string | null;
  isPublic: boolean;
  category: string | null;
  greetingMessage: string | null;
  voiceId: string | null;
  messageCount: number;
  creatorId: string;
  createdAt: Date;
  updatedAt: Date;
  sequence: number;
}

declare module '../core/outbox.ts' {
  interface EventData {
    'agent.created': AgentEventData;
    'agent.updated': AgentEventData;
    'agent.published': AgentEventData;
    'agent.deleted': { id: string; sequence: number };
  }
}

export const agentEventData = (agent: Agent, sequence: number): AgentEventData => ({
  id: agent.id,
  name: agent.name,
  description: agent.description ?? null,
  instructions: agent.instructions,
  model: agent.model,
  avatarUrl: agent.avatarUrl ?? null,
  isPublic: agent.isPublic,
  category: agent.category ?? null,
  greetingMessage: agent.greetingMessage ?? null,
  voiceId: agent.voiceId ?? null,
  messageCount: agent.messageCount,
  creatorId: agent.ownerId,
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
  sequence,
});
