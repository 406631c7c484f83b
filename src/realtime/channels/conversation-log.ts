import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { conversationEventData } from '../../conversations/conversation.events.ts';
import type { Conversation } from '../../conversations/conversation.entity.ts';
import { isLiveConversation } from '../../conversations/deleted.ts';
import { type GenerationState } from '../../conversations/replies/generation-state.ts';
import type { Message } from '../../conversations/messages/message.entity.ts';
import { messageColumns } from '../../conversations/messages/messages.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { toWire } from '../../core/wire.ts';
import type { ChannelEvent } from '../channel.ts';

/** The newest attempt to generate a reply. */
export interface LatestReply {
  id: string;
  state: GenerationState;
  userMessageId: string;
  assistantMessageId: string;
  errorCode: ErrorCode | null;
  errorMessage: string | null;
}

/** The state that a conversation's channel compares to detect changes. */
export interface ConversationState extends Conversation {
  isKept: boolean;
  reply: LatestReply | null;
}

const readState = {
  name: 'channel_conversation',
  text: `
    select c.id, c.user_id as "userId", c.agent_id as "agentId", c.title, c.message_count as "messageCount",
      c.last_position as "lastPosition", c.created_at as "createdAt", c.updated_at as "updatedAt",
      c.pinned_at as "pinnedAt", c.archived_at as "archivedAt", ${isLiveConversation('c')} as "isKept", (
        select jsonb_build_object('id', g.id, 'state', g.state, 'userMessageId', g.user_message_id,
          'assistantMessageId', g.assistant_message_id, 'errorCode', g.error_code, 'errorMessage', g.error_message)
        from generations g where g.conversation_id = c.id and ${ofAccountUnindexed('g.user_id', 'c.user_id')}
        order by g.created_at desc, g.id desc limit 1
      ) as reply
    from conversations c where c.id = $1`,
};

/** Reads the state of a conversation; undefined when it no longer exists. */
export const findState = async ({ sql }: Ctx, id: string): Promise<ConversationState | undefined> =>
  (await sql<ConversationState>(readState, [id]))[0];

const messagesPerPage = 50;
/** A page ends with the message that reaches this size, because a slow reader keeps a page in memory. */
const pageBytes = 65_536;

// Includes messages of other branches, because each position is read only once.
const readMessages = {
  name: 'channel_messages',
  text: `
    select * from (
      select found.*, count(*) over ()::int as found,
        sum(octet_length(content)) over (order by position) - octet_length(content) as bytes
      from (
        select ${messageColumns} from messages m
        where m.conversation_id = $1 and ${ofAccountUnindexed('m.user_id', '$3')} and m.position > $2
        order by m.position limit ${messagesPerPage}
      ) found
    ) page
    where bytes < ${pageBytes} order by position`,
};

/** Returns the next messages after a position, oldest first, and whether there may be more. */
export async function messagesAfter(
  { sql }: Ctx,
  { id, userId }: { id: string; userId: string },
  position: number,
): Promise<{ messages: Message[]; hasMore: boolean }> {
  const rows = await sql<Message & { found: number; bytes: number }>(readMessages, [id, position, userId]);
  const found = rows[0]?.found ?? 0;
  const messages = rows.map(({ found: _, bytes: __, ...message }) => message);
  return { messages, hasMore: found === messagesPerPage || rows.length < found };
}

/** Returns the event of a message. Its offset is the position of the message. */
export const messageCreated = (message: Message, agentId: string): ChannelEvent => ({
  type: 'message.created',
  offset: String(message.position),
  data: toWire({
    conversationId: message.conversationId,
    messageId: message.id,
    role: message.role,
    content: message.content,
    agentId,
    ...(message.broken && { broken: true }),
    createdAt: message.createdAt,
  }) as object,
});

interface Attempt {
  id: string;
  userMessageId: string;
}

/** Offset after the end of an attempt that has stored no message. */
const endOf = ({ id }: Attempt): string => `${id}:end`;

/** Returns the event of an attempt that failed. */
export const replyFailed = (
  attempt: Attempt,
  code: ErrorCode | 'cancelled',
  message: string | null,
  retryAfterSeconds?: number,
): ChannelEvent => ({
  type: 'reply.failed',
  offset: endOf(attempt),
  data: toWire({
    generationId: attempt.id,
    userMessageId: attempt.userMessageId,
    code,
    message,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }) as object,
});

/** Returns the last event of an attempt that ended with this message, or was stopped before it had a text. */
export const replyDone = (
  attempt: Attempt,
  message: Message | null,
  { stopped, usage }: { stopped: boolean; usage: object | null },
): ChannelEvent => ({
  type: 'reply.done',
  offset: message ? String(message.position) : endOf(attempt),
  data: toWire({
    generationId: attempt.id,
    userMessageId: attempt.userMessageId,
    messageId: message?.id ?? null,
    stopped,
    truncated: message?.truncated ?? false,
    usage,
    citations: message?.citations ?? null,
  }) as object,
});

/** Returns the event of a changed conversation. It has no offset, because it is not part of the log. */
export function conversationChanged(type: 'conversation.updated' | 'conversation.deleted', state: ConversationState) {
  const { sequence: _, ...data } = conversationEventData(state, 0);
  const marks = { pinned: state.pinnedAt !== null, archived: state.archivedAt !== null };
  return { type, offset: null, data: toWire({ ...data, ...marks }) as object };
}

/** Returns whether the fields of a conversation in its owner's list have changed, apart from new messages. */
export const isChanged = (one: ConversationState, other: ConversationState): boolean =>
  one.title !== other.title ||
  one.pinnedAt?.getTime() !== other.pinnedAt?.getTime() ||
  one.archivedAt?.getTime() !== other.archivedAt?.getTime();
