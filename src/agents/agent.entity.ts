import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ModelId } from './models.ts';
import type { VoiceId } from './voices.ts';
import type { AgentCategory } from './agent.input.ts';
import { User } from '../accounts/user.entity.ts';

/** `in_review` and `removed` are for the owner alone; `held` is out of lists and can be used. */
export type AgentModerationState = 'ok' | 'in_review' | 'held' | 'removed';

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
    /** What the moderators decided, or have to. It leaves `isPublic` alone. */
    moderationState: p.text().$type<AgentModerationState>().default('ok'),
    /** When it was last announced as public; null while it is private, and for agents of an earlier release. */
    publishedAt: p.datetime(3).strictNullable(),
    /** What the list by rating is ordered by; 0 without a rating. */
    ratingScore: p.double().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Set while it waits to be removed; it is hidden from then on. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** `messageCount` lacks what is still in `agent_activity`; `agentColumns` of agents.ts adds it. */
export class Agent extends AgentSchema.class {}
AgentSchema.setClass(Agent);
