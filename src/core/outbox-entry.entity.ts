import { defineEntity, p } from '@mikro-orm/postgresql';

const OutboxEntrySchema = defineEntity({
  name: 'OutboxEntry',
  tableName: 'outbox_queue',
  properties: {
    seq: p.bigint('number').primary().autoincrement(false),
    /** Leads to the event's partition. */
    eventCreatedAt: p.datetime(3).strictNullable(),
  },
});

/** The number of an event that no dispatcher has claimed yet. */
export class OutboxEntry extends OutboxEntrySchema.class {}
OutboxEntrySchema.setClass(OutboxEntry);
