import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Scope } from '../core/actor.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.string().primary(),
    userId: p.string(),
    name: p.string(),
    hash: p.blob().hidden(),
    keyHint: p.string(),
    scopes: p.array().$type<Scope[]>(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
});

export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);
