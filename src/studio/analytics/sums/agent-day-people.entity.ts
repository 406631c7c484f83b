import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../../agents/agent.entity.ts';

const AgentDayPeopleSchema = defineEntity({
  name: 'AgentDayPeople',
  tableName: 'agent_day_people',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    day: p.date().primary(),
    people: p.integer(),
    /** People whose first day with the agent it was, and how many of them returned one and seven days later. */
    newPeople: p.integer(),
    backD1: p.integer().name('back_d1'),
    backD7: p.integer().name('back_d7'),
    byVersion: p.json<Record<string, number>>(),
    bySource: p.json<Record<string, number>>(),
  },
});

/** How many people used an agent on a UTC day. Sums stay when a person is purged. */
export class AgentDayPeople extends AgentDayPeopleSchema.class {}
AgentDayPeopleSchema.setClass(AgentDayPeople);
