import type { ErrorCode } from '../core/errors.ts';
import type { Conversation } from './conversation.entity.ts';
import type { Message, MessageRole } from './message.entity.ts';

interface ConversationEventData {
  id: string;
  agentId: string;
  title: string | null;
  messageCount: number;
  createdAt: Date;
  updatedAt: Date;
  /** Grows with each event of the conversation, its messages' included. */
  sequence: number;
}

interface MessageEventData {
  conversationId: string;
  messageId: string;
  role: MessageRole;
  content: string;
  agentId: string;
  sequence: number;
}

declare module '../core/outbox.ts' {
  interface EventData {
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
}

export const conversationEventData = (conversation: Conversation, sequence: number): ConversationEventData => ({
  id: conversation.id,
  agentId: conversation.agentId,
  title: conversation.title ?? null,
  messageCount: conversation.messageCount,
  createdAt: conversation.createdAt,
  updatedAt: conversation.updatedAt,
  sequence,
});

export const messageEventData = (message: Message, agentId: string, sequence: number): MessageEventData => ({
  conversationId: message.conversationId,
  messageId: message.id,
  role: message.role,
  content: message.content,
  agentId,
  sequence,
});
