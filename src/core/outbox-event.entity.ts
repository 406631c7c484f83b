import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventType } from './outbox.ts';

const OutboxEventSchema = defineEntity({
  name: 'OutboxEvent',
  tableName: 'outbox_events',
  properties: {
    seq: p.bigint('number').primary().autoincrement(),
    id: p.text(),
    /** The user whose webhooks receive the event. A foreign key to `users`, which core does not know. */
    accountId: p.text(),
    type: p.text().$type<EventType>(),
    /** Payload in its wire format. `json` rather than `jsonb`, because signed bytes must keep their order. */
    data: p.json<object>().columnType('json'),
    /** Partition key. */
    createdAt: p.datetime(3).primary(),
    dispatchedAt: p.datetime(3).strictNullable(),
    /** Set on a test event, which is sent to one webhook only. */
    onlyWebhookId: p.text().strictNullable(),
    /** Transaction that wrote the event, and the oldest one that was open at that time. Readers resume from them. */
    xid: p.text().columnType('xid8').defaultRaw('pg_current_xact_id()'),
    xidHorizon: p.text().columnType('xid8').defaultRaw('pg_snapshot_xmin(pg_current_snapshot())'),
    /** Order for readers, with `seq`: never lower than `xid`, and never lower than that of an earlier event of the object. */
    commitOrder: p.text().columnType('xid8').strictNullable().defaultRaw('event_order()'),
  },
});

/** A domain event, written in the transaction of the change. */
export class OutboxEvent extends OutboxEventSchema.class {}
OutboxEventSchema.setClass(OutboxEvent);
