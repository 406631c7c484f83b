import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventType } from './outbox.ts';

const OutboxEventSchema = defineEntity({
  name: 'OutboxEvent',
  tableName: 'outbox_events',
  properties: {
    seq: p.bigint('number').primary().autoincrement(),
    id: p.text(),
    /** The user whose webhooks receive it; a foreign key to `users`, which core does not know. */
    accountId: p.text(),
    type: p.text().$type<EventType>(),
    /** The wire form. `json`, not `jsonb`: the signed bytes must keep their order. */
    data: p.json<object>().columnType('json'),
    /** Decides the partition. */
    createdAt: p.datetime(3).primary(),
    dispatchedAt: p.datetime(3).strictNullable(),
    /** Set on a test event, which goes to one webhook only. */
    onlyWebhookId: p.text().strictNullable(),
    /** The transaction that wrote it, and the oldest one that was open then: a reader resumes by them. */
    xid: p.text().columnType('xid8').defaultRaw('pg_current_xact_id()'),
    xidHorizon: p.text().columnType('xid8').defaultRaw('pg_snapshot_xmin(pg_current_snapshot())'),
  },
});

/** A domain event, written in the transaction of its cause. */
export class OutboxEvent extends OutboxEventSchema.class {}
OutboxEventSchema.setClass(OutboxEvent);
