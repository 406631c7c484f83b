import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { parseInput } from '../../core/input.ts';
import { sendMessageInput } from '../conversation.input.ts';
import { inLiveConversation } from '../deleted.ts';
import type { AcceptedMessage } from './generation-job.ts';

/** What the reader of a reply has received, as named by the id of the last event. */
export interface ReceivedReply {
  generationId: string;
  /** Received length of the text in UTF-16 code units; null when the end was received. */
  length: number | null;
}

const eventId = /^(gen_[0-9a-f-]{36}):(?:(\d{1,9})|done|error)$/;

/**
 * Reads the id of a reply's event, such as `Last-Event-ID`: `gen_…:120` after 120 UTF-16 code units of the text, `gen_…:done`
 * or `gen_…:error` after the end. Returns null for any other text.
 */
export function parseReplyEventId(id: string | null): ReceivedReply | null {
  const [, generationId, length] = eventId.exec(id ?? '') ?? [];
  return generationId === undefined ? null : { generationId, length: length === undefined ? null : Number(length) };
}

/** Returns the id of a reply's event, with which a reader resumes after it. `end` is that of a piece of the text. */
export function replyEventId(event: { generationId: string; end?: number; code?: string }): string {
  return `${event.generationId}:${event.end ?? (event.code === undefined ? 'done' : 'error')}`;
}

const find = {
  name: 'generation_resumed',
  text: `
    select g.id as "generationId", g.conversation_id as "conversationId", true as "isReplay",
      g.user_message_id as "userMessageId", g.assistant_message_id as "assistantMessageId"
    from generations g join messages um on um.id = g.user_message_id and um.user_id = g.user_id
    where g.id = $1 and g.conversation_id = $2 and g.user_id = $3 and um.content = $4
      and ($5::text is null or g.idempotency_key = $5) and ${inLiveConversation('g')}`,
};

/**
 * Returns the reply that a client reconnects to by sending its message again with the id of the last event that it
 * received, and what it has received. Returns null when the message is not that of this reply, so that it is to be sent; a
 * message with another `idempotencyKey` is a new one.
 * @throws AppError `invalid_request`
 */
export async function findResumed(
  ctx: Ctx,
  conversationId: string,
  lastEventId: string | null,
  input: unknown,
): Promise<{ accepted: AcceptedMessage; received: ReceivedReply } | null> {
  const received = parseReplyEventId(lastEventId);
  if (!received) return null;
  const { content, idempotencyKey = null } = parseInput(sendMessageInput, input);
  const values = [received.generationId, conversationId, callerId(ctx), content, idempotencyKey];
  const [accepted] = await ctx.sql<AcceptedMessage>(find, values);
  return accepted ? { accepted, received } : null;
}
