import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ModelId } from './models.ts';
import type { VoiceId } from './voices.ts';
import type { AgentCategory } from './agent.input.ts';
import { User } from '../accounts/user.entity.ts';

const AgentSchema = defineEntity({
  name: 'Agent',
  tableName: 'agents',
  properties: {
    id: p.text().primary(),
    ownerId: p.manyToOne(User).mapToPk().name('owner_id').deleteRule('cascade'),
    name: p.text(),
    description: p.text().strictNullable(),
    instructions: p.text(),
    model: p.text().$type<ModelId>(),
    avatarUrl: p.text().strictNullable(),
    isPublic: p.boolean().default(false),
    category: p.text().$type<AgentCategory>().strictNullable(),
    greetingMessage: p.text().strictNullable(),
    voiceId: p.text().$type<VoiceId>().strictNullable(),
    messageCount: p.bigint('number').default(0),
    trendingScore: p.double().default(0),
    eventSequence: p.integer().default(0),
    /** The version that has the fields of this row; null until a version is needed (live-version.ts). */
    liveVersionId: p.text().strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Set while it waits to be removed; it is hidden from then on. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** `messageCount` lacks what is still in `agent_activity`; `agentColumns` of agents.ts adds it. */
export class Agent extends AgentSchema.class {}
AgentSchema.setClass(Agent);
