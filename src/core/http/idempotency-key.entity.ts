import { defineEntity, p } from '@mikro-orm/postgresql';

const IdempotencyKeySchema = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    /** A foreign key to `users`, which core does not know. */
    userId: p.text().primary(),
    key: p.text().primary(),
    method: p.text().primary(),
    path: p.text().primary(),
    requestHash: p.blob(),
    lockToken: p.text().strictNullable(),
    lockedUntil: p.datetime(3),
    status: p.integer().strictNullable(),
    contentType: p.text().strictNullable(),
    body: p.text().strictNullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});

/** A request with an `Idempotency-Key`, and its response as soon as there is one. */
export class IdempotencyKey extends IdempotencyKeySchema.class {}
IdempotencyKeySchema.setClass(IdempotencyKey);
