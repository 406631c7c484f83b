import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';

const AgentLikeCountSchema = defineEntity({
  name: 'AgentLikeCount',
  tableName: 'agent_likes',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    likeCount: p.integer().default(0),
    noticeDue: p.boolean().default(false),
    noticedAt: p.datetime(3).strictNullable(),
    eventSequence: p.integer().default(0),
    recountDue: p.boolean().default(false),
  },
});

/** The number of users who like an agent, excluding likes that are not aggregated yet. */
export class AgentLikeCount extends AgentLikeCountSchema.class {}
AgentLikeCountSchema.setClass(AgentLikeCount);
