import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';

const AgentGreetingSchema = defineEntity({
  name: 'AgentGreeting',
  tableName: 'agent_greetings',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    /** Hash of the model and the instructions. The greeting is outdated when they change. */
    behaviour: p.text(),
    /** Null while the lease holder generates the greeting. */
    content: p.text().strictNullable(),
    leaseToken: p.text().strictNullable(),
    leaseExpiresAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** The generated greeting of an agent. Only instances from before `VersionGreeting` read and write it. */
export class AgentGreeting extends AgentGreetingSchema.class {}
AgentGreetingSchema.setClass(AgentGreeting);
