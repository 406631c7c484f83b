import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../../accounts/user.entity.ts';
import { Agent } from '../../../agents/agent.entity.ts';

const AgentPersonSchema = defineEntity({
  name: 'AgentPerson',
  tableName: 'agent_people',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    /** The person, as in `agent_day_users`. */
    subject: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    firstDay: p.date(),
    lastDay: p.date(),
    /** Days of the last 400 on which the person used the agent, as bits (day-bits.ts). */
    days: p.text().columnType('bit(1024)'),
  },
});

/** The days on which a person used an agent, as far as they are aggregated. */
export class AgentPerson extends AgentPersonSchema.class {}
AgentPersonSchema.setClass(AgentPerson);
