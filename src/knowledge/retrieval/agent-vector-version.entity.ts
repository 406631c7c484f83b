import { defineEntity, p } from '@mikro-orm/postgresql';

const AgentVectorVersionSchema = defineEntity({
  name: 'AgentVectorVersion',
  tableName: 'agent_vector_versions',
  properties: {
    /** A foreign key to `agents`, a later feature. */
    agentId: p.text().primary(),
    version: p.bigint('number'),
  },
});

/** Grows with every change of what an agent's questions can find, so that caches notice. */
export class AgentVectorVersion extends AgentVectorVersionSchema.class {}
AgentVectorVersionSchema.setClass(AgentVectorVersion);
