import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../../agents/agent.entity.ts';

const AgentWeekPeopleSchema = defineEntity({
  name: 'AgentWeekPeople',
  tableName: 'agent_week_people',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    /** Its Monday. */
    week: p.date().primary(),
    /** On the days that are shown in the week, and of them those whose first day with the agent was in the week. */
    people: p.integer(),
    newPeople: p.integer(),
    /** On the days on which too few people used the agent, all together. */
    restPeople: p.integer(),
  },
});

/** How many people used an agent in a week. Sums stay when a person is purged. */
export class AgentWeekPeople extends AgentWeekPeopleSchema.class {}
AgentWeekPeopleSchema.setClass(AgentWeekPeople);
