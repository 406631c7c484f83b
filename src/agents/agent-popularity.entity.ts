import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';
import { Agent } from './agent.entity.ts';

const AgentPopularitySchema = defineEntity({
  name: 'AgentPopularity',
  tableName: 'agent_popularity',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    hour: p.datetime(3).primary(),
    messages: p.integer(),
  },
});

/** Number of messages by agent, user and hour within the last week, for the trending list. */
export class AgentPopularity extends AgentPopularitySchema.class {}
AgentPopularitySchema.setClass(AgentPopularity);
