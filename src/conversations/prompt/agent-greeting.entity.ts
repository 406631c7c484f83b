import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';

const AgentGreetingSchema = defineEntity({
  name: 'AgentGreeting',
  tableName: 'agent_greetings',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    /** Hash of what the greeting is generated from; another one makes the greeting outdated. */
    behaviour: p.text(),
    /** Null while the lease holder generates it. */
    content: p.text().strictNullable(),
    leaseToken: p.text().strictNullable(),
    leaseExpiresAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** The generated greeting of an agent that has none of its own, used by all of its conversations. */
export class AgentGreeting extends AgentGreetingSchema.class {}
AgentGreetingSchema.setClass(AgentGreeting);
