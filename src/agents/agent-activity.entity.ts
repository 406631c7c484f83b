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

/**
 * Messages that the counters of an agent do not include yet. Each message appends a row and a job aggregates them, so
 * that the row of a popular agent is not a hot spot.
 */
export class AgentActivity extends AgentActivitySchema.class {}
AgentActivitySchema.setClass(AgentActivity);
