import { defineEntity, p } from '@mikro-orm/postgresql';
import { AgentVersion } from '../../agents/agent-version.entity.ts';

const VersionGreetingSchema = defineEntity({
  name: 'VersionGreeting',
  tableName: 'version_greetings',
  properties: {
    versionId: p.manyToOne(AgentVersion).mapToPk().name('version_id').deleteRule('cascade').primary(),
    /** Null while the lease holder generates the greeting. */
    content: p.text().strictNullable(),
    leaseToken: p.text().strictNullable(),
    leaseExpiresAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** The generated greeting of a version without a greeting of its own. All conversations with the version use it. */
export class VersionGreeting extends VersionGreetingSchema.class {}
VersionGreetingSchema.setClass(VersionGreeting);
