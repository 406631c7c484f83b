import { defineEntity, p } from '@mikro-orm/postgresql';
import { Conversation } from '../conversation.entity.ts';

const ConversationSummarySchema = defineEntity({
  name: 'ConversationSummary',
  tableName: 'conversation_summaries',
  properties: {
    conversationId: p.manyToOne(Conversation).mapToPk().name('conversation_id').deleteRule('cascade').primary(),
    content: p.text(),
    throughPosition: p.integer(),
    updatedAt: p.datetime(3),
  },
});

/** Summary of the turns that no longer fit into the prompt. */
export class ConversationSummary extends ConversationSummarySchema.class {}
ConversationSummarySchema.setClass(ConversationSummary);
