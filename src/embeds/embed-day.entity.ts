import { defineEntity, p } from '@mikro-orm/postgresql';
import type { IdentityFault } from './embed.input.ts';
import { Embed } from './embed.entity.ts';

const EmbedDaySchema = defineEntity({
  name: 'EmbedDay',
  tableName: 'embed_days',
  properties: {
    embedId: p.manyToOne(Embed).mapToPk().name('embed_id').deleteRule('cascade').primary(),
    day: p.date().primary(),
    /** Number of accepted messages. */
    messages: p.integer().default(0),
    /** Number of accepted messages that were refunded because they got no reply. */
    refunds: p.integer().default(0),
    /** Number of visitors who opened the chat or sent a message on that day. */
    visitors: p.integer().default(0),
    newVisitors: p.integer().default(0),
    refusedPerDay: p.integer().default(0),
    refusedPerVisitorDay: p.integer().default(0),
    refusedPerAddressHour: p.integer().default(0),
    /** Number of refused identity tokens by fault. */
    identityFaults: p.json<Partial<Record<IdentityFault, number>>>().defaultRaw(`'{}'::jsonb`),
  },
});

/** Statistics of an embed on a UTC day. The daily limit uses the same row. */
export class EmbedDay extends EmbedDaySchema.class {}
EmbedDaySchema.setClass(EmbedDay);
