import { defineEntity, p } from '@mikro-orm/postgresql';
import { Embed } from './embed.entity.ts';

const EmbedDaySchema = defineEntity({
  name: 'EmbedDay',
  tableName: 'embed_days',
  properties: {
    embedId: p.manyToOne(Embed).mapToPk().name('embed_id').deleteRule('cascade').primary(),
    day: p.date().primary(),
    /** Accepted. */
    messages: p.integer().default(0),
    /** Of these, given back because they got no reply. */
    refunds: p.integer().default(0),
    /** Who opened it that day. */
    visitors: p.integer().default(0),
    newVisitors: p.integer().default(0),
    refusedPerDay: p.integer().default(0),
    refusedPerVisitorDay: p.integer().default(0),
    refusedPerAddressHour: p.integer().default(0),
  },
});

/** What happened to an embed on a UTC day. Its row is what the limit of the day counts on. */
export class EmbedDay extends EmbedDaySchema.class {}
EmbedDaySchema.setClass(EmbedDay);
