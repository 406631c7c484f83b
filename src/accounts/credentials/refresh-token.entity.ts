import { defineEntity, p } from '@mikro-orm/postgresql';
import { Session } from './session.entity.ts';

const RefreshTokenSchema = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_tokens',
  properties: {
    hash: p.blob().primary(),
    sessionId: p.manyToOne(Session).mapToPk().name('session_id').deleteRule('cascade'),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).strictNullable(),
    /** Encrypted successor, which is returned again when the token is reused within seconds. */
    successor: p.text().strictNullable().hidden(),
  },
});

/** A refresh token, stored as its hash. Each is used once and has a successor. */
export class RefreshToken extends RefreshTokenSchema.class {}
RefreshTokenSchema.setClass(RefreshToken);
