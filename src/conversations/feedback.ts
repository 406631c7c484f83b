import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { findBranchMessage } from './branches.ts';
import { feedbackInput } from './conversation.input.ts';
import { getConversation } from './conversations.ts';

export interface Feedback {
  messageId: string;
  rating: 'up' | 'down';
  comment: string | null;
  createdAt: Date;
}

const save = {
  name: 'feedback_save',
  text: `
    insert into message_feedback (message_id, user_id, rating, comment, created_at) values ($1, $2, $3, $4, $5)
    on conflict (message_id) do update set rating = excluded.rating, comment = excluded.comment, created_at = excluded.created_at`,
};

/** What the caller thinks of a reply; a later word replaces an earlier one. @throws AppError `invalid_request`, `not_found` */
export async function giveFeedback(
  ctx: Ctx,
  conversationId: string,
  messageId: string,
  input: unknown,
): Promise<Feedback> {
  const { rating, comment = null } = parseInput(feedbackInput, input);
  await getConversation(ctx, conversationId);
  const message = await findBranchMessage(ctx, conversationId, messageId);
  if (!message) throw notFound();
  if (message.role !== 'assistant') throw new AppError('invalid_request', { message: 'Only replies can be rated.' });
  const createdAt = ctx.clock.now();
  await ctx.sql(save, [messageId, callerId(ctx), rating, comment, createdAt]);
  return { messageId, rating, comment, createdAt };
}

const findOf = {
  name: 'feedback_of',
  text: `
    select message_id as "messageId", rating, comment, created_at as "createdAt" from message_feedback where message_id = any ($1)`,
};

/** The feedback on those of the messages that have any. */
export const feedbackOf = (ctx: Ctx, messageIds: readonly string[]): Promise<Feedback[]> =>
  ctx.sql<Feedback>(findOf, [messageIds]);
