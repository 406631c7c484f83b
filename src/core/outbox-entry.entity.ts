import { defineEntity, p } from '@mikro-orm/postgresql';

const OutboxEntrySchema = defineEntity({
  name: 'OutboxEntry',
  tableName: 'outbox_queue',
  properties: {
    seq: p.bigint('number').primary().autoincrement(false),
    /** Identifies the partition of the event. */
    eventCreatedAt: p.datetime(3).strictNullable(),
  },
});

/** Number of an event that no dispatcher has claimed yet. */
export class OutboxEntry extends OutboxEntrySchema.class {}
OutboxEntrySchema.setClass(OutboxEntry);
