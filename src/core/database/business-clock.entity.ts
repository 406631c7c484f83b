import { defineEntity, p } from '@mikro-orm/postgresql';

const BusinessClockSchema = defineEntity({
  name: 'BusinessClock',
  tableName: 'business_clock',
  properties: {
    id: p.boolean().primary().default(true),
    /** How far business time is ahead of real time. */
    offsetSeconds: p.bigint('number'),
  },
});

/** The one row that moves business time on all instances. Absent until business time is moved the first time. */
export class BusinessClock extends BusinessClockSchema.class {}
BusinessClockSchema.setClass(BusinessClock);
