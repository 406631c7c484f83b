import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';

const UsageCounterSchema = defineEntity({
  name: 'UsageCounter',
  tableName: 'usage_counters',
  properties: {
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    day: p.date().primary(),
    messages: p.integer(),
    /** Number of generated greetings that the user has caused. */
    greetings: p.integer().default(0),
    /** Number of times a model chose who replies in a room that the user pays for. */
    choices: p.integer().default(0),
    /** Number of messages whose charge was refunded because they failed or were stopped. */
    refunds: p.integer().default(0),
    /** Number of generated images. */
    images: p.integer().default(0),
    /** Number of images whose charge was refunded because they failed. */
    imageRefunds: p.integer().default(0),
    /** Number of tokens in embedding requests. */
    embeddingTokens: p.bigint('number').default(0),
    /** Bytes of documents that were processed. */
    documentBytes: p.bigint('number').default(0),
  },
});

/** A user's usage on a UTC day. */
export class UsageCounter extends UsageCounterSchema.class {}
UsageCounterSchema.setClass(UsageCounter);
