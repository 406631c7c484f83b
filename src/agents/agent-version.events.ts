import { exampleValues } from '../core/example-values.ts';
import type { EventEntries } from '../core/outbox.ts';
import type { VersionFields, VersionOrigin } from './agent-version.entity.ts';

/** A version of an agent, in event data. `sequence` is that of the agent. */
interface AgentVersionEventData {
  id: string;
  agentId: string;
  number: number;
  instructions: string;
  model: string;
  greetingMessage: string | null;
  voiceId: string | null;
  note: string | null;
  origin: VersionOrigin;
  isLive: boolean;
  createdAt: Date;
  publishedAt: Date | null;
  sequence: number;
}

interface AgentVersionEvents {
  'agent.version_created': AgentVersionEventData;
  'agent.version_published': AgentVersionEventData;
}

declare module '../core/outbox.ts' {
  interface EventData extends AgentVersionEvents {}
}

const { agentId, versionId, at, later } = exampleValues;
const example: AgentVersionEventData = {
  id: versionId,
  agentId,
  number: 2,
  instructions: 'You are Ada. Ask a question before you explain.',
  model: 'precise',
  greetingMessage: 'Hello! What shall we look at today?',
  voiceId: null,
  note: 'Asks first',
  origin: 'draft',
  isLive: false,
  createdAt: at,
  publishedAt: null,
  sequence: 5,
};

export const agentVersionEvents: EventEntries<AgentVersionEvents> = {
  'agent.version_created': {
    description: 'The behaviour of an agent was changed, or a draft was created. `data` is the version.',
    data: [{ resource: 'AgentVersion' }],
    example,
  },
  'agent.version_published': {
    description: 'A version of an agent became live. `data` is the version.',
    data: [{ resource: 'AgentVersion' }],
    example: { ...example, isLive: true, publishedAt: later, sequence: 6 },
  },
};

export const agentVersionEventData = (
  version: VersionFields,
  { isLive, sequence }: { isLive: boolean; sequence: number },
): AgentVersionEventData => ({
  id: version.id,
  agentId: version.agentId,
  number: version.number,
  instructions: version.instructions,
  model: version.model,
  greetingMessage: version.greetingMessage ?? null,
  voiceId: version.voiceId ?? null,
  note: version.note ?? null,
  origin: version.origin,
  isLive,
  createdAt: version.createdAt,
  publishedAt: version.publishedAt ?? null,
  sequence,
});
