import { exampleValues } from '../core/example-values.ts';
import type { EventEntries } from '../core/outbox.ts';
import type { Agent } from './agent.entity.ts';

/** The agent as its owner sees it, in event data. `sequence` increases by one with each event of the agent. */
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

interface AgentEvents {
  'agent.created': AgentEventData;
  'agent.updated': AgentEventData;
  'agent.deleted': { id: string; sequence: number };
  'agent.published': AgentEventData;
  'agent.unpublished': UnpublishedEventData;
}

/** Why an agent is no longer public. */
export interface UnpublishedEventData {
  agentId: string;
  reason: 'owner' | 'moderation';
  sequence: number;
}

declare module '../core/outbox.ts' {
  interface EventData extends AgentEvents {}
}

const { agentId, userId, at, later } = exampleValues;
const example: AgentEventData = {
  id: agentId,
  name: 'Ada',
  description: 'Explains mathematics patiently.',
  instructions: 'You are Ada, a patient tutor of mathematics.',
  model: 'default',
  avatarUrl: null,
  isPublic: false,
  category: 'tutor',
  greetingMessage: 'Hello! What shall we look at today?',
  voiceId: null,
  messageCount: 0,
  creatorId: userId,
  createdAt: at,
  updatedAt: at,
  sequence: 1,
};

/** Schema of an agent for its owner, which always contains the instructions. */
const ownAgent = [{ resource: 'Agent' }, { properties: { instructions: { type: 'string' } } }];

export const agentEvents: EventEntries<AgentEvents> = {
  'agent.created': {
    description: 'An agent was created. `data` is the agent as its owner sees it.',
    data: ownAgent,
    example,
  },
  'agent.updated': {
    description: 'An agent was changed. `data` is the agent after the change.',
    data: ownAgent,
    example: { ...example, name: 'Ada L.', updatedAt: later, sequence: 2 },
  },
  'agent.deleted': {
    description: 'An agent was deleted, along with its conversations, documents and integrations.',
    data: [{ properties: { id: { type: 'string' } } }],
    example: { id: agentId, sequence: 4 },
  },
  'agent.published': {
    description: 'An agent became public, through a change or at its creation (then after `agent.created`).',
    data: ownAgent,
    example: { ...example, isPublic: true, updatedAt: later, sequence: 3 },
  },
  'agent.unpublished': {
    description:
      'A public agent is no longer listed: its owner made it private or is deleting the account, or moderators removed it.',
    data: [{ properties: { agent_id: { type: 'string' }, reason: { type: 'string', enum: ['owner', 'moderation'] } } }],
    example: { agentId, reason: 'owner', sequence: 5 },
  },
};

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
