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
    /** The person: the id of the user or, outside of direct conversations, of the conversation. */
    subject: p.text().primary(),
    versionNumber: p.integer().primary(),
    source: p.text().$type<UseSource>().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    messages: p.integer(),
  },
});

/**
 * A person's use of an agent on a UTC day, to count people. The table is partitioned by month. Owners are not counted
 * for their own agents.
 */
export class AgentDayUser extends AgentDayUserSchema.class {}
AgentDayUserSchema.setClass(AgentDayUser);
