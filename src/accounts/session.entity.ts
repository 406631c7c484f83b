import { defineEntity, p } from '@mikro-orm/postgresql';

const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.string().primary(),
    userId: p.string(),
    ip: p.string().nullable(),
    userAgent: p.string().nullable(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime(),
    expiresAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
  },
});

/** A sign-in: the family of one refresh token and its successors. */
export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session);
