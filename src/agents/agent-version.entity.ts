import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from './agent.entity.ts';
import type { ModelId } from './models.ts';
import type { VoiceId } from './voices.ts';

/** Why a version was created. */
export type VersionOrigin = 'created' | 'edit' | 'draft' | 'copy' | 'experiment';

const AgentVersionSchema = defineEntity({
  name: 'AgentVersion',
  tableName: 'agent_versions',
  properties: {
    id: p.text().primary(),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    /** Consecutive number within the agent, from 1. */
    number: p.integer(),
    instructions: p.text(),
    model: p.text().$type<ModelId>(),
    greetingMessage: p.text().strictNullable(),
    voiceId: p.text().$type<VoiceId>().strictNullable(),
    note: p.text().strictNullable(),
    origin: p.text().$type<VersionOrigin>(),
    createdAt: p.datetime(3),
    /** When the version was last made live; null for a draft. */
    publishedAt: p.datetime(3).strictNullable(),
  },
});

/** A version of an agent's behaviour. Only `publishedAt` ever changes. */
export class AgentVersion extends AgentVersionSchema.class {}
AgentVersionSchema.setClass(AgentVersion);

/** The fields of a version as a plain object type. */
export type VersionFields = { [Field in keyof AgentVersion]: AgentVersion[Field] };
