import { defineEntity, p } from '@mikro-orm/postgresql';
import { Conversation } from '../../conversations/conversation.entity.ts';
import { Integration } from '../integration.entity.ts';

const IntegrationConversationSchema = defineEntity({
  name: 'IntegrationConversation',
  tableName: 'integration_conversations',
  properties: {
    integrationId: p.manyToOne(Integration).mapToPk().name('integration_id').deleteRule('cascade').primary(),
    chatId: p.text().primary(),
    personId: p.text().primary(),
    conversationId: p.manyToOne(Conversation).mapToPk().name('conversation_id').deleteRule('cascade'),
    createdAt: p.datetime(3),
  },
});

/** The conversation of one user in one channel or thread. It belongs to the owner and uses the integration's agent. */
export class IntegrationConversation extends IntegrationConversationSchema.class {}
IntegrationConversationSchema.setClass(IntegrationConversation);
