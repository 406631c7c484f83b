import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Conversation } from '../conversation.entity.ts';

const ConversationTitleSchema = defineEntity({
  name: 'ConversationTitle',
  tableName: 'conversation_titles',
  properties: {
    conversationId: p.manyToOne(Conversation).mapToPk().name('conversation_id').deleteRule('cascade').primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
  },
});

/** Search vector of a conversation's title. A trigger on `conversations` maintains it. */
export class ConversationTitle extends ConversationTitleSchema.class {}
ConversationTitleSchema.setClass(ConversationTitle);
