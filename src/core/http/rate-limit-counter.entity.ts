import { defineEntity, p } from '@mikro-orm/postgresql';

const RateLimitCounterSchema = defineEntity({
  name: 'RateLimitCounter',
  tableName: 'rate_limits',
  properties: {
    key: p.string().primary(),
    points: p.integer().default(0),
    /** End of the window or lock, in Unix milliseconds. */
    expire: p.bigint('number').strictNullable(),
  },
});

/** Counter of one rate limit window. The table is unlogged, because counters are worthless after a crash. */
export class RateLimitCounter extends RateLimitCounterSchema.class {}
RateLimitCounterSchema.setClass(RateLimitCounter);
