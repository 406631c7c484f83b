import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { noteRating } from '../../studio/analytics/notes.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { findBranchMessage } from './branches.ts';
import { feedbackInput } from '../conversation.input.ts';
import { getConversation } from '../conversations.ts';

export interface Feedback {
  messageId: string;
  rating: 'up' | 'down';
  comment: string | null;
  createdAt: Date;
  /** Time from which the owner of the agent may read the feedback; null while it is not shared. */
  sharedAt: Date | null;
}

// The insert reads `before`, which makes sure that the old row is locked and read before it is replaced.
const save = {
  name: 'feedback_save',
  text: `
    with before as (
      select rating from message_feedback where message_id = $1 for update
    ), noted as (${noteRating('before', '$4', '$5')})
    insert into message_feedback (message_id, user_id, rating, comment, created_at, shared_at, shared_agent_id)
    select $1, $4, $2, $3, $5::timestamptz, case when $6::text is not null then $5::timestamptz end, $6
    from (select count(*) from before) locked
    on conflict (message_id) do update set rating = excluded.rating, comment = excluded.comment, created_at = excluded.created_at,
      shared_at = excluded.shared_at, shared_agent_id = excluded.shared_agent_id`,
};

/**
 * Stores the caller's rating of a reply and replaces an earlier one. With `share`, the owner of the agent may read it
 * together with the exchange, until a rating without `share` replaces it.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function giveFeedback(
  ctx: Ctx,
  conversationId: string,
  messageId: string,
  input: unknown,
): Promise<Feedback> {
  const { rating, comment = null, share } = parseInput(feedbackInput, input);
  const { agentId } = await getConversation(ctx, conversationId);
  const message = await findBranchMessage(ctx, conversationId, messageId);
  if (!message) throw notFound();
  if (message.role !== 'assistant') throw new AppError('invalid_request', { message: 'Only replies can be rated.' });
  const createdAt = ctx.clock.now();
  await ctx.sql(save, [messageId, rating, comment, callerId(ctx), createdAt, share ? agentId : null]);
  return { messageId, rating, comment, createdAt, sharedAt: share ? createdAt : null };
}

const findOf = {
  name: 'feedback_of',
  text: `
    select message_id as "messageId", rating, comment, created_at as "createdAt", shared_at as "sharedAt"
    from message_feedback where message_id = any ($1)`,
};

/** Lists the feedback on the messages. */
export const feedbackOf = (ctx: Ctx, messageIds: readonly string[]): Promise<Feedback[]> =>
  ctx.sql<Feedback>(findOf, [messageIds]);
