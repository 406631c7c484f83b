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
    /** Id of the message that it follows; null for the first one. */
    parentId: p.text().strictNullable(),
    /** Whether the message is on the current branch. */
    active: p.boolean().default(true),
    /** Whether the message is a reply that ended at a length limit. */
    truncated: p.boolean().default(false),
    /** Whether the message is what was shown of a reply that failed. */
    broken: p.boolean().default(false),
    /** Chunks that the reply used; null when it used none. */
    citations: p.json<Citation[]>().strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** A message of a conversation. Messages with the same parent are branches. */
export class Message extends MessageSchema.class {}
MessageSchema.setClass(Message);
