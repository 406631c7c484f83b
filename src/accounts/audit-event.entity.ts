import { defineEntity, p } from '@mikro-orm/postgresql';
import type { AuditAction } from './audit-actions.ts';
import { User } from './user.entity.ts';

const AuditEventSchema = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    action: p.text().$type<AuditAction>(),
    /** Credential that was used for the action: a session or an API key. */
    sessionId: p.text().strictNullable(),
    apiKeyId: p.text().strictNullable(),
    ip: p.text().strictNullable(),
    /** Id of the object of the action, unless that is the account itself. */
    subject: p.text().strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** An entry of the audit log: who did what, when and from where. It is never changed. */
export class AuditEvent extends AuditEventSchema.class {}
AuditEventSchema.setClass(AuditEvent);
