import { defineEntity, p } from '@mikro-orm/postgresql';

const AgentVectorVersionSchema = defineEntity({
  name: 'AgentVectorVersion',
  tableName: 'agent_vector_versions',
  properties: {
    /** A foreign key to `agents`, which a later feature defines. */
    agentId: p.text().primary(),
    version: p.bigint('number'),
  },
});

/** A version that grows whenever the searchable knowledge of an agent changes, to invalidate caches. */
export class AgentVectorVersion extends AgentVectorVersionSchema.class {}
AgentVectorVersionSchema.setClass(AgentVectorVersion);
