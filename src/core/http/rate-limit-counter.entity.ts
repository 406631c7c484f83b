import { defineEntity, p } from '@mikro-orm/postgresql';

const RateLimitCounterSchema = defineEntity({
  name: 'RateLimitCounter',
  tableName: 'rate_limits',
  properties: {
    key: p.string().primary(),
    points: p.integer().default(0),
    /** Unix milliseconds. */
    expire: p.bigint('number').strictNullable(),
  },
});

/** The counter of one rate limit window. Unlogged: it is worthless after a crash. */
export class RateLimitCounter extends RateLimitCounterSchema.class {}
RateLimitCounterSchema.setClass(RateLimitCounter);
