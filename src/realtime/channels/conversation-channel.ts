import { getConversation } from '../../conversations/conversations.ts';
import type { GenerationState } from '../../conversations/replies/generation-state.ts';
import type { Ctx } from '../../core/ctx.ts';
import { gatheredSql } from '../../core/database/sql.ts';
import { isId } from '../../core/ids.ts';
import type { ChannelEvent, ChannelKind, ChannelReading, OpenOptions } from '../channel.ts';
import { type ConversationEntry, conversationFeed } from './conversation-feed.ts';

/** Channel of the messages of one of the caller's conversations and of its replies while they are generated. */
export const conversationChannel: ChannelKind = { scope: 'conversations:read', open };

interface Start {
  /** Position of the last message that the reader received. */
  position: number;
  /** The reply of which the reader has received `length` UTF-16 units. */
  reply: { id: string; length: number } | null;
}

async function open(ctx: Ctx, id: string, { after, left }: OpenOptions): Promise<ChannelReading> {
  const { actor, pool } = ctx;
  const conversation = await getConversation({ actor, sql: gatheredSql(pool) }, id);
  const head: Start = { position: conversation.lastPosition, reply: null };
  const start = after === null ? head : await startAfter(ctx, conversation, after);
  const events = follow(ctx, conversation, start ?? head, left);
  if (after !== null && start) return { resumed: 'caught_up', offset: after, events };
  return { resumed: after === null ? 'from_start' : 'gap', offset: String(head.position), events };
}

async function* follow(
  ctx: Ctx,
  conversation: { id: string; userId: string },
  { position, reply }: Start,
  left: AbortSignal,
): AsyncGenerator<ChannelEvent, void, void> {
  const entries = conversationFeed(ctx, conversation).follow(position, left);
  let sent = position;
  for await (const entry of entries) {
    if (entry.kind === 'message' && entry.position <= sent) continue;
    if (entry.kind === 'reply') {
      yield* replyEvents(entry, reply, left);
      sent = entry.reply.position ?? sent;
    } else yield entry.event;
    if (entry.kind === 'notice' && entry.isLast) return;
  }
}

const replyEvents = (
  { reply }: Extract<ConversationEntry, { kind: 'reply' }>,
  had: Start['reply'],
  left: AbortSignal,
): AsyncGenerator<ChannelEvent, void, void> => reply.events(had?.id === reply.id ? had.length : null, left);

const positionForm = /^\d{1,9}$/;
const replyForm = /^(gen_[0-9a-f-]{36}):(\d{1,9})$/;

interface ReplyPosition {
  state: GenerationState;
  before: number;
  position: number | null;
}

// A stored reply is sent whole, so the reader starts before it.
const findReply = {
  name: 'channel_reply',
  text: `
    select g.state,
      (select position from messages where id = g.user_message_id and user_id = g.user_id) as before,
      (select position from messages where id = g.assistant_message_id and user_id = g.user_id) as position
    from generations g where g.id = $1 and g.conversation_id = $2 and g.user_id = $3`,
};

/**
 * Returns the position at which a reader with this offset starts; null for an offset that the conversation never had.
 */
async function startAfter(
  ctx: Ctx,
  { id, userId, lastPosition }: { id: string; userId: string; lastPosition: number },
  after: string,
): Promise<Start | null> {
  if (positionForm.test(after)) {
    const position = Number(after);
    return position <= lastPosition ? { position, reply: null } : null;
  }
  const [, generationId = '', length = ''] = replyForm.exec(after) ?? [];
  if (!isId('gen_', generationId)) return null;
  const [found] = await ctx.sql<ReplyPosition>(findReply, [generationId, id, userId]);
  if (!found) return null;
  if (found.state === 'running') return { position: lastPosition, reply: { id: generationId, length: Number(length) } };
  return { position: found.position === null ? found.before : found.position - 1, reply: null };
}
