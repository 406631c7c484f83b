import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Agent } from '../../agents/agent.entity.ts';

export type ReviewState = 'ok' | 'held' | 'removed';

const ReviewSchema = defineEntity({
  name: 'Review',
  tableName: 'reviews',
  properties: {
    id: p.text().primary(),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    rating: p.integer(),
    text: p.text().strictNullable(),
    ownerReply: p.text().strictNullable(),
    /** Whether the rating is in the sums. Ratings of new accounts are added later. */
    isCounted: p.boolean(),
    moderationState: p.text().$type<ReviewState>().default('ok'),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Set if its author deleted it while moderators hid it. The row keeps their decision, without the texts. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** A user's review of an agent; at most one per user and agent. */
export class Review extends ReviewSchema.class {}
ReviewSchema.setClass(Review);
