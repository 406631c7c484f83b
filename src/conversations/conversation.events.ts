import { type ErrorCode, errorTable } from '../core/errors.ts';
import { exampleValues } from '../core/example-values.ts';
import type { EventEntries } from '../core/outbox.ts';
import type { Conversation } from './conversation.entity.ts';
import type { Message, MessageRole } from './messages/message.entity.ts';

interface ConversationEventData {
  id: string;
  agentId: string;
  title: string | null;
  messageCount: number;
  createdAt: Date;
  updatedAt: Date;
  /** Increases with each event of the conversation, including those of its messages. */
  sequence: number;
}

interface MessageEventData {
  conversationId: string;
  messageId: string;
  role: MessageRole;
  content: string;
  agentId: string;
  /** Present if the message is what was shown of a reply that failed. */
  broken?: true;
  sequence: number;
}

interface ConversationEvents {
  'conversation.created': ConversationEventData;
  'conversation.deleted': ConversationEventData;
  'message.created': MessageEventData;
  'message.failed': {
    conversationId: string;
    messageId: string;
    agentId: string;
    code: ErrorCode;
    message: string;
    sequence: number;
  };
}

declare module '../core/outbox.ts' {
  interface EventData extends ConversationEvents {}
}

const { conversationId, messageId, agentId, at, later } = exampleValues;
const example: ConversationEventData = {
  id: conversationId,
  agentId,
  title: null,
  messageCount: 0,
  createdAt: at,
  updatedAt: at,
  sequence: 1,
};

const text = { type: 'string' };
const role = { type: 'string', enum: ['user', 'assistant'] };
const code = { type: 'string', enum: Object.keys(errorTable) };

export const conversationEvents: EventEntries<ConversationEvents> = {
  'conversation.created': {
    description: 'A conversation was started. `data` is the conversation.',
    data: [{ resource: 'ConversationSummary' }],
    example,
  },
  'conversation.deleted': {
    description: 'A conversation was deleted. `data` is the conversation as it was.',
    data: [{ resource: 'ConversationSummary' }],
    example: { ...example, title: 'Prime numbers', messageCount: 4, updatedAt: later, sequence: 6 },
  },
  'message.created': {
    description:
      'A message was stored. Sent once for each user message, reply and greeting. With `broken: true` it is what was shown of a reply that failed.',
    data: [{ properties: { conversation_id: text, message_id: text, role, content: text, agent_id: text } }],
    example: { conversationId, messageId, role: 'user', content: 'What is a prime number?', agentId, sequence: 2 },
  },
  'message.failed': {
    description:
      'A reply failed. `message_id` is the message that got no reply. What was shown of the reply follows as `message.created` with `broken: true`.',
    data: [{ properties: { conversation_id: text, message_id: text, agent_id: text, code, message: text } }],
    example: {
      conversationId,
      messageId,
      agentId,
      code: 'upstream_timeout',
      message: 'The model provider took too long to respond.',
      sequence: 3,
    },
  },
};

export const conversationEventData = (conversation: Conversation, sequence: number): ConversationEventData => ({
  id: conversation.id,
  agentId: conversation.agentId,
  title: conversation.title ?? null,
  messageCount: conversation.messageCount,
  createdAt: conversation.createdAt,
  updatedAt: conversation.updatedAt,
  sequence,
});

export const messageEventData = (
  message: Pick<Message, 'id' | 'conversationId' | 'role' | 'content'>,
  agentId: string,
): Omit<MessageEventData, 'sequence'> => ({
  conversationId: message.conversationId,
  messageId: message.id,
  role: message.role,
  content: message.content,
  agentId,
});
