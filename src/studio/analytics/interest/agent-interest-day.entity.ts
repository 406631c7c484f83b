import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../../agents/agent.entity.ts';

const AgentInterestDaySchema = defineEntity({
  name: 'AgentInterestDay',
  tableName: 'agent_interest_days',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    day: p.date().primary(),
    listingViews: p.integer().default(0),
    /** New likes minus removed likes. */
    likes: p.integer().default(0),
  },
});

/** Views of an agent's listing and changes of its likes on a UTC day. */
export class AgentInterestDay extends AgentInterestDaySchema.class {}
AgentInterestDaySchema.setClass(AgentInterestDay);
