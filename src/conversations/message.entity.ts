import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Citation } from '../knowledge/citations.ts';

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
    /** The message that it follows; null for the first. Messages with one parent are branches. */
    parentId: p.string().nullable(),
    /** Whether it is on the branch that is the conversation now. */
    active: p.boolean(),
    /** The chunks that a reply used; null when it used none. */
    citations: p.json<Citation[]>().nullable(),
    createdAt: p.datetime(),
  },
});

export class Message extends MessageSchema.class {}
MessageSchema.setClass(Message);
