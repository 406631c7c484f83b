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
    /** The credential it was done with. */
    sessionId: p.text().strictNullable(),
    apiKeyId: p.text().strictNullable(),
    ip: p.text().strictNullable(),
    /** Id of the thing it was done to, when that is not the account itself. */
    subject: p.text().strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** Who did what, when and from where. Written once and never changed. */
export class AuditEvent extends AuditEventSchema.class {}
AuditEventSchema.setClass(AuditEvent);
