import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';

const SocialDaySchema = defineEntity({
  name: 'SocialDay',
  tableName: 'social_days',
  properties: {
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    day: p.date().primary(),
    writes: p.integer().default(0),
    follows: p.integer().default(0),
    copies: p.integer().default(0),
  },
});

/** The writes, follows and copies of shares of an account on a UTC day, for the daily limits. */
export class SocialDay extends SocialDaySchema.class {}
SocialDaySchema.setClass(SocialDay);
