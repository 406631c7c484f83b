import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Agent } from '../../agents/agent.entity.ts';
import type { UseSource } from '../conversation-source.ts';

const AgentDayUserSchema = defineEntity({
  name: 'AgentDayUser',
  tableName: 'agent_day_users',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    day: p.date().primary(),
    /** The person: a user's id, or the conversation's id where the owner offers the agent elsewhere. */
    subject: p.text().primary(),
    versionNumber: p.integer().primary(),
    source: p.text().$type<UseSource>().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    messages: p.integer(),
  },
});

/** Who used an agent on a UTC day, to count people; partitioned by month. The owner is in none. */
export class AgentDayUser extends AgentDayUserSchema.class {}
AgentDayUserSchema.setClass(AgentDayUser);
