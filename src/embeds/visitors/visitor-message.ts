import { createConversation } from '../../conversations/conversations.ts';
import { inLiveConversation } from '../../conversations/deleted.ts';
import { sendMessageInput } from '../../conversations/conversation.input.ts';
import type { AcceptedMessage } from '../../conversations/generations/generation-job.ts';
import { sendMessage } from '../../conversations/messages/send-message.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction, lockThenRead } from '../../core/database/transaction.ts';
import { AppError } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { publish } from '../../core/outbox.ts';
import { asOwnerOf, type Visitor } from './visitor.ts';
import { consumeEmbedLimits, EmbedLimitReached, noteRefusal } from './visitor-limits.ts';

/**
 * Accepts a message of a visitor. The first message starts the visitor's conversation. The message counts towards the
 * embed's limits and then the owner's daily quota, in one transaction. Sending the same message again joins or replays
 * its reply, as for a user.
 * @throws AppError `invalid_request`, `not_found`, `generation_in_progress`, `rate_limited`, `idempotency_mismatch`
 */
export async function sendVisitorMessage(
  ctx: Ctx,
  visitor: Visitor,
  input: unknown,
  network: string,
): Promise<AcceptedMessage> {
  try {
    return await inTransaction(asOwnerOf(ctx, visitor), async (tx) => {
      const conversationId = await conversationOf(tx, visitor);
      return sendMessage(tx, conversationId, ownKey(visitor, input), (inner) =>
        consumeEmbedLimits(inner, visitor, network),
      );
    });
  } catch (error) {
    if (error instanceof EmbedLimitReached) await noteRefusal(ctx, visitor, error.limit);
    else if (error instanceof AppError && error.code === 'rate_limited') throw busy(error);
    throw error;
  }
}

/**
 * Returns the message with the visitor's key in a form that is unique to the visitor, because keys
 * are unique per account and the conversations of visitors are the owner's.
 * @throws AppError `invalid_request`
 */
function ownKey({ id }: Visitor, input: unknown): object {
  const { content, idempotencyKey } = parseInput(sendMessageInput, input);
  return { content, idempotencyKey: idempotencyKey ? `${id}:${sha256(idempotencyKey).toString('base64url')}` : null };
}

/** Hides the limits of the owner's plan from visitors. */
const busy = ({ retryAfterSeconds }: AppError): AppError =>
  new AppError('rate_limited', {
    message: 'The assistant cannot reply to more messages right now. Please try again later.',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

// The lock makes parallel first messages of a visitor share one conversation.
const lockVisitor = { name: 'embed_visitor_lock', text: `select from embed_visitors where id = $1 for no key update` };
const findConversation = {
  name: 'embed_visitor_conversation',
  text: `
    select v.conversation_id as "conversationId", (v.conversation_id is not null and ${inLiveConversation('v')}) as "isKept"
    from embed_visitors v where v.id = $1 and v.forgotten_at is null`,
};
const attach = {
  name: 'embed_visitor_attach',
  text: `
    with noted as (insert into embed_conversations (conversation_id, visitor_id, embed_id) values ($2, $1, $3))
    update embed_visitors set conversation_id = $2 where id = $1`,
};

interface Conversation {
  conversationId: string;
  isKept: boolean;
}

async function conversationOf(tx: Ctx, { id: visitorId, embedId, ownerId, agentId }: Visitor): Promise<string> {
  const key = [visitorId];
  const [row] = await lockThenRead<Conversation>(tx, [lockVisitor, key], [findConversation, key]);
  if (!row) throw new AppError('unauthenticated');
  if (row.isKept) return row.conversationId;
  const { id: conversationId } = await createConversation(tx, { agentId }, 'embed');
  await tx.sql(attach, [visitorId, conversationId, embedId]);
  await publish(tx, ownerId, 'embed.conversation_started', { embedId, conversationId, visitorId, sequence: 1 });
  return conversationId;
}
