import { owns } from '../../core/actor.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Agent } from '../../agents/agent.entity.ts';
import { getAgent } from '../../agents/agents.ts';
import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { ago } from '../../core/database/purge-in-batches.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { isUuid, newId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { publish } from '../../core/outbox.ts';
import { checkLater, refuseFlaggedText } from '../../moderation/check-content.ts';
import { requireUnrestricted } from '../../moderation/restrictions.ts';
import { noteListingChange } from '../counts/notes.ts';
import { replyInput, reviewInput } from '../listing.input.ts';
import { Review } from './review.entity.ts';
import { reviewEventData } from './review.events.ts';
import { findReview, type ReviewView } from './reviews.ts';

/** Minimum number of messages that a reviewer must have sent to the agent. */
const minMessages = 5;
/** Ratings of accounts younger than this count later. */
export const youngMs = 24 * 3_600_000;

const countMessages = {
  name: 'review_messages',
  text: `
    select count(*) as messages from (
      select from conversations c
      join messages m on m.conversation_id = c.id and ${ofAccountUnindexed('m.user_id', 'c.user_id')} and m.role = 'user'
      where c.user_id = $1 and c.agent_id = $2 limit ${minMessages}) m`,
};
const lockAuthor = {
  name: 'review_lock_author',
  text: `select created_at > $2 as "isYoung" from users where id = $1 for no key update`,
};
// A moderator or the job that counts ratings may be changing the row, and both change the sums by what they read.
const lockOwn = {
  name: 'review_lock_own',
  text: `select ${columnsOf(Review, 'r')} from reviews r where r.user_id = $1 and r.agent_id = $2 for update`,
};
const insert = {
  name: 'review_insert',
  text: `
    insert into reviews (id, agent_id, user_id, rating, text, is_counted, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $7)`,
};
const update = {
  name: 'review_update',
  text: `update reviews set rating = $2, text = $3, updated_at = $4, deleted_at = null where id = $1`,
};

/**
 * Reviews another user's agent, replacing the caller's earlier review. One that moderators hid stays hidden. Requires five messages of the caller to the
 * agent. Checks the text first, which is a network call. Publishes `review.created` to the agent's owner for a new
 * review.
 * @throws AppError `invalid_request`, also with the detail `content_refused`; `not_found`, `forbidden`
 */
export async function reviewAgent(ctx: Ctx, agentId: string, input: unknown): Promise<ReviewView> {
  const { rating, text = null } = parseInput(reviewInput, input);
  await requireUnrestricted(ctx);
  const agent = await getAgent(ctx, agentId);
  await requireExperience(ctx, agent);
  const isChecked = text ? await refuseFlaggedText(ctx, 'text', text) : true;
  const id = await inTransaction(ctx, async (tx) => {
    const userId = callerId(tx);
    const now = tx.clock.now();
    // The lock serializes concurrent requests of the same author.
    const [author] = await tx.sql<{ isYoung: boolean }>(lockAuthor, [userId, ago(tx, youngMs)]);
    if (!author) throw new AppError('unauthenticated');
    const [before] = await tx.sql<Review>(lockOwn, [userId, agentId]);
    if (before) {
      await tx.sql(update, [before.id, rating, text, now]);
      if (isInSums(before)) await noteListingChange(tx, agentId, { ratingSum: rating - before.rating });
    } else {
      const isCounted = !author.isYoung;
      const reviewId = newId('rev_');
      await tx.sql(insert, [reviewId, agentId, userId, rating, text, isCounted, now]);
      await noteListingChange(tx, agentId, { reviews: 1, ...(isCounted ? { ratings: 1, ratingSum: rating } : {}) });
      await publish(tx, agent.ownerId, 'review.created', reviewEventData(await findReview(tx, reviewId)));
      if (!isChecked) await checkLater(tx, 'review', reviewId);
      return reviewId;
    }
    if (!isChecked) await checkLater(tx, 'review', before.id);
    return before.id;
  });
  return findReview(ctx, id);
}

/** Whether the rating is in the sums of its agent. */
const isInSums = ({ isCounted, moderationState }: Review): boolean => isCounted && moderationState === 'ok';

async function requireExperience(ctx: Ctx, agent: Agent): Promise<void> {
  if (owns(ctx.actor, agent.ownerId)) throw new AppError('forbidden', { message: 'You cannot review your own agent.' });
  const [counted] = await ctx.sql<{ messages: number }>(countMessages, [callerId(ctx), agent.id]);
  if ((counted?.messages ?? 0) >= minMessages) return;
  throw new AppError('forbidden', {
    message: `You can review an agent after sending it ${minMessages} messages.`,
  });
}

const remove = { name: 'review_delete', text: `delete from reviews where id = $1` };
// Without the row, a new review would not be hidden.
const clear = {
  name: 'review_clear',
  text: `update reviews set text = null, owner_reply = null, updated_at = $2, deleted_at = $2 where id = $1`,
};

/**
 * Deletes the caller's review of an agent. A no-op if there is none.
 * @throws AppError `not_found`
 */
export async function deleteReview(ctx: Ctx, agentId: string): Promise<{ id: string; deleted: true }> {
  if (!isUuid(agentId)) throw notFound();
  await inTransaction(ctx, async (tx) => {
    const userId = callerId(tx);
    await tx.sql(lockAuthor, [userId, ago(tx, youngMs)]);
    const [review] = await tx.sql<Review>(lockOwn, [userId, agentId]);
    // The author can delete a review even after the agent has become private.
    if (!review) return void (await getAgent(tx, agentId));
    if (review.moderationState !== 'ok') return void (await tx.sql(clear, [review.id, tx.clock.now()]));
    await tx.sql(remove, [review.id]);
    await noteListingChange(tx, agentId, {
      reviews: -1,
      ...(review.isCounted ? { ratings: -1, ratingSum: -review.rating } : {}),
    });
  });
  return { id: agentId, deleted: true };
}

const reply = {
  name: 'review_reply',
  text: `update reviews set owner_reply = $2 where id = $1`,
};

/**
 * Sets or clears the owner's reply to a review of their agent.
 * @throws AppError `invalid_request`, also with the detail `content_refused`; `not_found`, `forbidden`
 */
export async function replyToReview(ctx: Ctx, id: string, input: unknown): Promise<ReviewView> {
  const { text } = parseInput(replyInput, input);
  const review = await findReview(ctx, id);
  // Reviews of an agent that the caller may not use are `not_found`.
  const agent = await getAgent(ctx, review.agentId);
  if (!owns(ctx.actor, agent.ownerId)) throw new AppError('forbidden');
  if (text !== null) await requireUnrestricted(ctx);
  const isChecked = text === null || (await refuseFlaggedText(ctx, 'text', text));
  await inTransaction(ctx, async (tx) => {
    await tx.sql(reply, [id, text]);
    if (!isChecked) await checkLater(tx, 'review', id);
  });
  return findReview(ctx, id);
}
