import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../../agents/agent.entity.ts';

const AgentWeekPeopleSchema = defineEntity({
  name: 'AgentWeekPeople',
  tableName: 'agent_week_people',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    /** Monday of the week. */
    week: p.date().primary(),
    /**
     * Number of people on the released days of the week. `newPeople` is how many of them first used the agent in this
     * week.
     */
    people: p.integer(),
    newPeople: p.integer(),
    /** Number of people on the days with too few people to be shown on their own. */
    restPeople: p.integer(),
  },
});

/** The number of people who used an agent in a week. It stays unchanged when a person's account is purged. */
export class AgentWeekPeople extends AgentWeekPeopleSchema.class {}
AgentWeekPeopleSchema.setClass(AgentWeekPeople);
