import { defineEntity, p } from '@mikro-orm/postgresql';

const BusinessClockSchema = defineEntity({
  name: 'BusinessClock',
  tableName: 'business_clock',
  properties: {
    id: p.boolean().primary().default(true),
    /** Seconds by which business time is ahead of real time. */
    offsetSeconds: p.bigint('number'),
  },
});

/**
 * The single row that holds the offset of business time for all instances. It does not exist until business time is
 * moved for the first time.
 */
export class BusinessClock extends BusinessClockSchema.class {}
BusinessClockSchema.setClass(BusinessClock);
