import { listMessagesInput } from '../../conversations/conversation.input.ts';
import { stopGeneration, type StopResult } from '../../conversations/generations/stop-generation.ts';
import { type Feedback, giveFeedback } from '../../conversations/messages/feedback.ts';
import { listMessages, type MessagePage } from '../../conversations/messages/messages.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { forgetVisitor } from './forget-visitor.ts';
import { asOwnerOf, type Visitor } from './visitor.ts';

const noMessages: MessagePage = {
  data: [],
  pageInfo: { hasNextPage: false, endCursor: null },
  startCursor: null,
  isNewest: true,
};

/**
 * Lists the messages of the visitor's conversation, newest first; none before the first message.
 * @throws AppError `invalid_request`
 */
export async function listVisitorMessages(ctx: Ctx, visitor: Visitor, input: unknown): Promise<MessagePage> {
  const { conversationId } = visitor;
  if (conversationId === null) {
    parseInput(listMessagesInput, input);
    return noMessages;
  }
  try {
    return await listMessages(asOwnerOf(ctx, visitor), conversationId, input);
  } catch (error) {
    // The owner has deleted the conversation; the next message starts another one.
    if (error instanceof AppError && error.code === 'not_found') return noMessages;
    throw error;
  }
}

/** Stops the running reply to the visitor. */
export async function stopVisitorReply(ctx: Ctx, visitor: Visitor): Promise<StopResult> {
  if (visitor.conversationId === null) return { stopped: false, messageId: null };
  return stopGeneration(asOwnerOf(ctx, visitor), visitor.conversationId);
}

/** Stores the visitor's rating of a reply. @throws AppError `invalid_request`, `not_found` */
export async function rateVisitorReply(
  ctx: Ctx,
  visitor: Visitor,
  messageId: string,
  input: unknown,
): Promise<Feedback> {
  if (visitor.conversationId === null) throw notFound();
  return giveFeedback(asOwnerOf(ctx, visitor), visitor.conversationId, messageId, input);
}

const endStatement = {
  name: 'embed_session_end',
  text: `delete from embed_sessions where token_hash = $1`,
};

/** Makes the visitor's token invalid, as when they sign out of the website. The conversation is kept. */
export async function endSession(ctx: Ctx, { tokenHash }: Visitor): Promise<{ ended: true }> {
  await ctx.sql(endStatement, [tokenHash]);
  return { ended: true };
}

const detach = {
  name: 'embed_visitor_detach',
  text: `update embed_visitors set conversation_id = null where id = $1`,
};

/**
 * Ends the visitor's conversation, so that the next message starts another one. The owner keeps the old one. With
 * `forget`, the visitor and all their conversations are erased.
 */
export async function leaveConversation(ctx: Ctx, visitor: Visitor, forget: boolean): Promise<{ forgotten: boolean }> {
  if (forget) await forgetVisitor(ctx, visitor.id);
  else await ctx.sql(detach, [visitor.id]);
  return { forgotten: forget };
}
