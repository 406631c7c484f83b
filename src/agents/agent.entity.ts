import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ModelId } from './models.ts';
import type { VoiceId } from './voices.ts';
import type { AgentCategory } from './agent.input.ts';
import { User } from '../accounts/user.entity.ts';

/**
 * Moderation state. Agents that are `in_review` or `removed` are visible only to their owner; `held` ones are hidden
 * from lists but can be used.
 */
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
    /** Version with the fields of this row; null until a version is needed (live-version.ts). */
    liveVersionId: p.text().strictNullable(),
    /** State that moderation has set. It is independent of `isPublic`. */
    moderationState: p.text().$type<AgentModerationState>().default('ok'),
    /** When the agent was last announced as public. Null while it is private, and for agents of an earlier release. */
    publishedAt: p.datetime(3).strictNullable(),
    /** Sort key of the list by rating; 0 without a rating. */
    ratingScore: p.double().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Set while the agent waits to be removed. It is hidden from then on. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** An agent. `messageCount` does not include the rows of `agent_activity`; `agentColumns` in agents.ts adds them. */
export class Agent extends AgentSchema.class {}
AgentSchema.setClass(Agent);
