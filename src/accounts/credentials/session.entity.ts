import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../user.entity.ts';

const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    ip: p.text().strictNullable(),
    userAgent: p.text().strictNullable(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3),
    expiresAt: p.datetime(3),
    revokedAt: p.datetime(3).strictNullable(),
  },
});

/** A login: a refresh token and all its successors. */
export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session);
