import { defineEntity, p } from '@mikro-orm/postgresql';

const ProcessedEventSchema = defineEntity({
  name: 'ProcessedEvent',
  tableName: 'processor_events',
  properties: {
    id: p.text().primary(),
    type: p.text(),
    customerId: p.text().strictNullable(),
    createdAt: p.datetime(3),
    receivedAt: p.datetime(3),
  },
});

/** A received event of the payment processor. Each event is applied once. */
export class ProcessedEvent extends ProcessedEventSchema.class {}
ProcessedEventSchema.setClass(ProcessedEvent);
