import { agentsByIds } from '../../agents/agents.ts';
import type { Ctx } from '../../core/ctx.ts';
import { isId } from '../../core/ids.ts';
import type { ReportableKind, VisibilityAction } from '../../moderation/subjects.ts';
import { noteListingChange } from '../counts/notes.ts';
import type { Review, ReviewState } from './review.entity.ts';
import { findReview } from './reviews.ts';

const find = async (ctx: Ctx, id: string) => (isId('rev_', id) ? findReview(ctx, id).catch(() => null) : null);

/** Makes reviews reportable. */
export const reportableReview: ReportableKind = {
  type: 'review',
  async find(ctx, named) {
    const review = await find(ctx, named);
    if (!review || review.moderationState !== 'ok') return null;
    const [agent] = await agentsByIds(ctx, [review.agentId]);
    return agent ? { id: review.id, authorId: review.userId } : null;
  },
  async show(ctx, id) {
    const review = await find(ctx, id);
    if (!review) return null;
    const texts = [review.text, review.ownerReply];
    return {
      authorId: review.userId,
      title: `Review with ${review.rating} of 5`,
      text: texts.filter(Boolean).join('\n'),
      imageUrl: null,
      state: review.moderationState,
      marks: [],
    };
  },
  change: changeReview,
};

const lock = {
  name: 'review_moderation_lock',
  text: `
    select agent_id as "agentId", rating, is_counted as "isCounted", moderation_state as "moderationState",
      deleted_at as "deletedAt"
    from reviews where id = $1 for no key update`,
};
const setState = { name: 'review_moderation_state', text: `update reviews set moderation_state = $2 where id = $1` };

const remove = { name: 'review_moderation_delete', text: `delete from reviews where id = $1` };

const states: Readonly<Record<VisibilityAction, ReviewState>> = { hold: 'held', remove: 'removed', restore: 'ok' };

/**
 * Changes the visibility of a review. A hidden review does not count in the rating. One that its author deleted meanwhile
 * is removed for good when it is restored.
 */
async function changeReview(tx: Ctx, id: string, action: VisibilityAction): Promise<boolean> {
  type Locked = Pick<Review, 'agentId' | 'rating' | 'isCounted' | 'moderationState' | 'deletedAt'>;
  const [review] = await tx.sql<Locked>(lock, [id]);
  const after = states[action];
  if (!review || review.moderationState === after || (action === 'hold' && review.moderationState !== 'ok'))
    return false;
  if (review.deletedAt && after === 'ok') {
    await tx.sql(remove, [id]);
    return true;
  }
  await tx.sql(setState, [id, after]);
  const sign = Number(after === 'ok') - Number(review.moderationState === 'ok');
  const counted = review.isCounted ? sign : 0;
  await noteListingChange(tx, review.agentId, { reviews: sign, ratings: counted, ratingSum: counted * review.rating });
  return true;
}
