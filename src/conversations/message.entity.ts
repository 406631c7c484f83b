import { defineEntity, p } from '@mikro-orm/postgresql';

export type MessageRole = 'user' | 'assistant';

const MessageSchema = defineEntity({
  name: 'Message',
  tableName: 'messages',
  properties: {
    id: p.string().primary(),
    conversationId: p.string(),
    userId: p.string(),
    /** Order inside the conversation. */
    position: p.integer(),
    role: p.string().$type<MessageRole>(),
    content: p.text(),
    createdAt: p.datetime(),
  },
});

export class Message extends MessageSchema.class {}
MessageSchema.setClass(Message);
