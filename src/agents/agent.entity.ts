import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ModelId } from '../core/models.ts';
import type { VoiceId } from '../core/voices.ts';
import type { AgentCategory } from './agent.input.ts';

const AgentSchema = defineEntity({
  name: 'Agent',
  tableName: 'agents',
  properties: {
    id: p.string().primary(),
    ownerId: p.string(),
    name: p.string(),
    description: p.string().nullable(),
    instructions: p.text(),
    model: p.string().$type<ModelId>(),
    avatarUrl: p.string().nullable(),
    isPublic: p.boolean(),
    category: p.string().$type<AgentCategory>().nullable(),
    greetingMessage: p.text().nullable(),
    voiceId: p.string().$type<VoiceId>().nullable(),
    messageCount: p.bigint('number').default(0),
    eventSequence: p.integer().default(0),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** `messageCount` of a row lacks what is still in `agent_activity`; the reads in agents.ts add it. */
export class Agent extends AgentSchema.class {}
AgentSchema.setClass(Agent);
