import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Scope } from '../core/actor.ts';
import { User } from '../accounts/user.entity.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    name: p.text(),
    hash: p.blob().hidden(),
    keyHint: p.text(),
    scopes: p.array().$type<Scope[]>(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).strictNullable(),
    expiresAt: p.datetime(3).strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
  },
});

/** An API key, stored as its hash. */
export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
