import { callerId } from '../../accounts/caller.ts';
import { getAgent } from '../../agents/agents.ts';
import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import { reviewsInput } from '../listing.input.ts';
import { Review } from './review.entity.ts';

/** A review with its author. */
export interface ReviewView extends Review {
  authorUsername: string | null;
  authorDisplayName: string | null;
  authorAvatarUrl: string | null;
}

const reviewColumns = `${columnsOf(Review, 'r')}, u.username as "authorUsername", u.display_name as "authorDisplayName",
  u.avatar_url as "authorAvatarUrl"`;
const reviewTables = `reviews r left join users u on u.id = r.user_id and u.deletion_requested_at is null`;

// Reviews of an account that is being deleted are hidden.
const isShown = `r.moderation_state = 'ok' and not exists (
  select from users d where d.id = r.user_id and d.deletion_requested_at is not null)`;
const from = `${reviewTables} where r.agent_id = $1 and ${isShown}`;

const newestFirst = orderedList<ReviewView>({
  name: 'reviews_list',
  columns: reviewColumns,
  from,
  valueCount: 1,
  key: { column: 'r.created_at', kind: 'time', of: ({ createdAt }) => createdAt },
  id: { column: 'r.id', of: ({ id }) => id },
});
const count = {
  name: 'reviews_count',
  text: `select count(*) as total from (select from reviews r where r.agent_id = $1 and ${isShown} limit 10000) r`,
};

/**
 * Lists the reviews of an agent that the caller may use, newest first.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function listReviews(ctx: Ctx, agentId: string, input: unknown): Promise<Page<ReviewView>> {
  const page = parseInput(reviewsInput, input);
  await getAgent(ctx, agentId);
  return withTotal(ctx, readSlice(ctx, newestFirst, [agentId], page), page, count, [agentId]);
}

const byId = {
  name: 'review_get',
  text: `select ${reviewColumns} from ${reviewTables} where r.id = $1 and r.deleted_at is null`,
};

/**
 * Returns a review of any author.
 * @throws AppError `not_found`
 */
export async function findReview(ctx: Ctx, id: string): Promise<ReviewView> {
  const [review] = isId('rev_', id) ? await ctx.sql<ReviewView>(byId, [id]) : [];
  if (!review) throw notFound();
  return review;
}

const own = {
  name: 'reviews_of_caller',
  text: `
    select ${reviewColumns} from ${reviewTables} where r.user_id = $1 and r.agent_id = any ($2) and r.deleted_at is null`,
};

/** Returns the caller's reviews of the agents, in any order. */
export const ownReviews = (ctx: Ctx, agentIds: readonly string[]): Promise<ReviewView[]> =>
  ctx.actor.kind === 'user' ? ctx.sql<ReviewView>(own, [callerId(ctx), agentIds]) : Promise.resolve([]);
