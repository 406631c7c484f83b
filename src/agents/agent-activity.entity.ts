import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from './agent.entity.ts';

const AgentActivitySchema = defineEntity({
  name: 'AgentActivity',
  tableName: 'agent_activity',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    userId: p.text(),
    messages: p.integer(),
    createdAt: p.datetime(3),
  },
});

/** Messages of an agent that its counters do not include yet: appended by every message and aggregated by a job, so that a popular agent's row is not a hot spot. */
export class AgentActivity extends AgentActivitySchema.class {}
AgentActivitySchema.setClass(AgentActivity);
