import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../../agents/agent.entity.ts';

const AgentDayPeopleSchema = defineEntity({
  name: 'AgentDayPeople',
  tableName: 'agent_day_people',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    day: p.date().primary(),
    people: p.integer(),
    /**
     * Number of people who first used the agent on this day. `backD1` and `backD7` are how many of them returned one
     * and seven days later.
     */
    newPeople: p.integer(),
    backD1: p.integer().name('back_d1'),
    backD7: p.integer().name('back_d7'),
    byVersion: p.json<Record<string, number>>(),
    bySource: p.json<Record<string, number>>(),
  },
});

/** The number of people who used an agent on a UTC day. It stays unchanged when a person's account is purged. */
export class AgentDayPeople extends AgentDayPeopleSchema.class {}
AgentDayPeopleSchema.setClass(AgentDayPeople);
