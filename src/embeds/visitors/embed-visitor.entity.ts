import { defineEntity, p } from '@mikro-orm/postgresql';
import { Conversation } from '../../conversations/conversation.entity.ts';
import { Embed } from '../embed.entity.ts';

const EmbedVisitorSchema = defineEntity({
  name: 'EmbedVisitor',
  tableName: 'embed_visitors',
  properties: {
    id: p.text().primary(),
    embedId: p.manyToOne(Embed).mapToPk().name('embed_id').deleteRule('cascade'),
    /** The website's id of the visitor; null for an anonymous visitor. */
    externalId: p.text().strictNullable(),
    name: p.text().strictNullable(),
    /** The current conversation; null before the first message and after a restart. */
    conversationId: p.manyToOne(Conversation).mapToPk().name('conversation_id').deleteRule('set null').strictNullable(),
    /** UTC day of `dayMessages`. */
    day: p.date().strictNullable(),
    dayMessages: p.integer().default(0),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    /** Set while the visitor waits to be erased. */
    forgottenAt: p.datetime(3).strictNullable(),
  },
});

/** A visitor of a website that shows an embed. */
export class EmbedVisitor extends EmbedVisitorSchema.class {}
EmbedVisitorSchema.setClass(EmbedVisitor);
