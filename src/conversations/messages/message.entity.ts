import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Citation } from '../../knowledge/retrieval/citations.ts';
import { User } from '../../accounts/user.entity.ts';
import { Conversation } from '../conversation.entity.ts';

export type MessageRole = 'user' | 'assistant';

const MessageSchema = defineEntity({
  name: 'Message',
  tableName: 'messages',
  properties: {
    id: p.text().primary(),
    conversationId: p.manyToOne(Conversation).mapToPk().name('conversation_id').deleteRule('cascade'),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    /** Order within the conversation. */
    position: p.integer(),
    role: p.text().$type<MessageRole>(),
    content: p.text(),
    /** The message that it follows; null for the first. */
    parentId: p.text().strictNullable(),
    /** Whether it is on the current branch. */
    active: p.boolean().default(true),
    /** Whether it is a reply that ended at a length limit. */
    truncated: p.boolean().default(false),
    /** The chunks that a reply used; null when it used none. */
    citations: p.json<Citation[]>().strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** A message of a conversation. Those with the same parent are branches. */
export class Message extends MessageSchema.class {}
MessageSchema.setClass(Message);
