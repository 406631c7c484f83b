import { defineEntity, p } from '@mikro-orm/postgresql';
import { Conversation } from '../../conversations/conversation.entity.ts';
import { Embed } from '../embed.entity.ts';
import { EmbedVisitor } from './embed-visitor.entity.ts';

const EmbedConversationSchema = defineEntity({
  name: 'EmbedConversation',
  tableName: 'embed_conversations',
  properties: {
    conversationId: p.manyToOne(Conversation).mapToPk().name('conversation_id').deleteRule('cascade').primary(),
    visitorId: p.manyToOne(EmbedVisitor).mapToPk().name('visitor_id').deleteRule('cascade'),
    embedId: p.manyToOne(Embed).mapToPk().name('embed_id').deleteRule('cascade'),
    /** Number of messages that were refunded on `refundDay`, a UTC day. */
    dayRefunds: p.integer().default(0),
    refundDay: p.date().strictNullable(),
  },
});

/** Assignment of the owner's conversations to visitors. */
export class EmbedConversation extends EmbedConversationSchema.class {}
EmbedConversationSchema.setClass(EmbedConversation);
