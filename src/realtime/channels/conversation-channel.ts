import { getConversation } from '../../conversations/conversations.ts';
import type { GenerationState } from '../../conversations/replies/generation-state.ts';
import type { Ctx } from '../../core/ctx.ts';
import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { gatheredSql } from '../../core/database/sql.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import type { ChannelEvent, ChannelKind, ChannelReading, OpenOptions } from '../channel.ts';
import { type ConversationEntry, conversationFeed } from './conversation-feed.ts';
import { replyDone, replyFailed } from './conversation-log.ts';

/** Channel of the messages of one of the caller's conversations and of its replies while they are generated. */
export const conversationChannel: ChannelKind = { scope: 'conversations:read', open };

interface Start {
  /** Position of the last message that the reader received. */
  position: number;
  /** The reply of which the reader has received `length` UTF-16 units. */
  reply: { id: string; length: number } | null;
  /** How an attempt ended without a message while the reader was away, for after the message at this position. */
  end: { position: number; event: ChannelEvent } | null;
}

async function open(ctx: Ctx, id: string, { after, left }: OpenOptions): Promise<ChannelReading> {
  const { actor, pool } = ctx;
  const conversation = await getConversation({ actor, sql: gatheredSql(pool) }, id);
  const head: Start = { position: conversation.lastPosition, reply: null, end: null };
  const start = after === null ? head : await startAfter(ctx, conversation, after);
  const events = follow(ctx, conversation, start ?? head, left);
  if (after !== null && start) return { resumed: 'caught_up', offset: after, events };
  return { resumed: after === null ? 'from_start' : 'gap', offset: String(head.position), events };
}

async function* follow(
  ctx: Ctx,
  conversation: { id: string; userId: string },
  { position, reply, end }: Start,
  left: AbortSignal,
): AsyncGenerator<ChannelEvent, void, void> {
  const entries = conversationFeed(ctx, conversation).follow(position, left);
  let sent = position;
  if (end && end.position <= sent) yield end.event;
  for await (const entry of entries) {
    if (entry.kind === 'message' && entry.position <= sent) continue;
    if (entry.kind === 'reply') {
      yield* replyEvents(entry, reply, left);
      sent = entry.reply.position ?? sent;
    } else yield entry.event;
    if (end && entry.kind === 'message' && entry.position === end.position) yield end.event;
    if (entry.kind === 'notice' && entry.isLast) return;
  }
}

const replyEvents = (
  { reply }: Extract<ConversationEntry, { kind: 'reply' }>,
  had: Start['reply'],
  left: AbortSignal,
): AsyncGenerator<ChannelEvent, void, void> => reply.events(had?.id === reply.id ? had.length : null, left);

const positionForm = /^\d{1,9}$/;
const replyForm = /^(gen_[0-9a-f-]{36}):(\d{1,9}|end)$/;

interface Attempt {
  id: string;
  state: GenerationState;
  userMessageId: string;
  errorCode: ErrorCode | null;
  errorMessage: string | null;
  /** Position of the message to which it replies. */
  before: number;
  /** Position of the stored reply, which is broken if the attempt failed. */
  position: number | null;
}

const attemptColumns = `
  g.id, g.state, g.user_message_id as "userMessageId", g.error_code as "errorCode", g.error_message as "errorMessage",
  (select position from messages where id = g.user_message_id and user_id = g.user_id) as before,
  (select position from messages where id = g.assistant_message_id and user_id = g.user_id) as position`;
const findAttempt = {
  name: 'channel_attempt',
  text: `
    select ${attemptColumns} from generations g where g.id = $3 and g.conversation_id = $1 and g.user_id = $2`,
};
const findNewest = {
  name: 'channel_newest_attempt',
  text: `
    select ${attemptColumns} from generations g where g.conversation_id = $1 and ${ofAccountUnindexed('g.user_id', '$2')}
    order by g.created_at desc, g.id desc limit 1`,
};

/**
 * Returns where a reader with this offset starts; null for an offset that the conversation never had. A stored reply is
 * sent whole, so the reader starts before it.
 */
async function startAfter(
  ctx: Ctx,
  { id, userId, lastPosition }: { id: string; userId: string; lastPosition: number },
  after: string,
): Promise<Start | null> {
  if (positionForm.test(after)) {
    const position = Number(after);
    if (position > lastPosition) return null;
    const [newest] = await ctx.sql<Attempt>(findNewest, [id, userId]);
    return { position, reply: null, end: newest && newest.before >= position ? endOf(newest) : null };
  }
  const [, attemptId = '', received = ''] = replyForm.exec(after) ?? [];
  if (!isId('gen_', attemptId)) return null;
  const [attempt] = await ctx.sql<Attempt>(findAttempt, [id, userId, attemptId]);
  if (!attempt) return null;
  if (attempt.state === 'running')
    return { position: lastPosition, reply: { id: attemptId, length: Number(received) }, end: null };
  const position = attempt.position === null ? attempt.before : attempt.position - 1;
  return { position, reply: null, end: received === 'end' ? null : endOf(attempt) };
}

function endOf(attempt: Attempt): Start['end'] {
  const { state, before, position, errorCode, errorMessage } = attempt;
  if (state === 'running') return null;
  if (errorCode !== null) return { position: position ?? before, event: replyFailed(attempt, errorCode, errorMessage) };
  if (position !== null) return null;
  if (state !== 'stopped') return null;
  return { position: before, event: replyDone(attempt, null, { stopped: true, usage: null }) };
}
