import { owns } from '../src/core/actor.ts';
import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { replyInput, reviewInput } from '../src/marketplace/listing.input.ts';
import { authorOf } from '../src/marketplace/reviews/review.events.ts';
import { listReviews, type ReviewView } from '../src/marketplace/reviews/reviews.ts';
import { deleteReview, replyToReview, reviewAgent } from '../src/marketplace/reviews/write-review.ts';
import { PublicProfileType } from './agent-details.ts';
import type { GraphqlContext } from './context.ts';
import { Access, GraphqlOnly, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';

@ObjectType('Review', { description: 'A person’s review of an agent.' })
export class ReviewType {
  @Field(() => ID, { description: 'Review ID (`rev_…`).' }) id!: string;
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => Int, { description: 'Stars, 1 to 5.' }) rating!: number;
  @Field(() => String, { nullable: true, description: 'Text of the review. Plain text.' }) text!: string | null;
  @Field(() => PublicProfileType, { nullable: true, description: 'Author; null when the account was deleted.' })
  author!: PublicProfileType | null;
  @Field(() => String, { nullable: true, description: 'Reply of the agent’s owner. Plain text.' })
  ownerReply!: string | null;
  @Field(() => Date, { description: 'Time when it was first written.' }) createdAt!: Date;
  @Field(() => Date, { description: 'Time of the last change.' }) updatedAt!: Date;
  @GraphqlOnly()
  @Field(() => Boolean, { description: 'Whether the caller wrote it.' })
  isMine!: boolean;
}

@ObjectType({ description: 'A page of reviews, newest first.' })
class ReviewList extends pageOf('reviews', ReviewType, 'Number of reviews, at most 10,000.') {}

@InputType({ description: 'A review.' })
@Rules(reviewInput)
class ReviewInput {
  @Field(() => Int, { description: 'Stars, 1 to 5.' }) rating!: number;
  @Field(() => String, { nullable: true, description: 'At most 1,000 characters.' }) text?: string | null;
}

@InputType({ description: 'The reply of an agent’s owner to a review.' })
@Rules(replyInput)
class ReplyInput {
  @Field(() => String, { nullable: true, description: 'At most 1,000 characters; null removes the reply.' })
  text!: string | null;
}

export const toReview =
  ({ actor }: GraphqlContext) =>
  (review: ReviewView): ReviewType => ({
    ...review,
    text: review.text ?? null,
    author: withId(review),
    ownerReply: review.ownerReply ?? null,
    isMine: owns(actor, review.userId),
  });

const withId = (review: ReviewView): ReviewType['author'] => {
  const author = authorOf(review);
  return author && { id: review.userId, ...author };
};

@Resolver()
export class ReviewResolver {
  @Access('public')
  @Query(() => ReviewList, { description: 'Lists the reviews of a public agent, newest first.' })
  async reviews(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the agent.' }) agentId: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ReviewList> {
    const page = await listReviews(ctx, agentId, { ...paging, counted });
    return { ...page, data: page.data.map(toReview(ctx)) };
  }

  @Access('social:write')
  @Mutation(() => ReviewType, {
    description:
      'Reviews another user’s agent and replaces the caller’s earlier review. Requires five messages to the agent.',
  })
  async reviewAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the agent.' }) agentId: string,
    @Arg('input', () => ReviewInput) input: ReviewInput,
  ): Promise<ReviewType> {
    return toReview(ctx)(await reviewAgent(ctx, agentId, input));
  }

  @Access('social:write')
  @Mutation(() => Deletion, { description: 'Deletes the caller’s review of an agent. `id` is the ID of the agent.' })
  deleteReview(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the agent.' }) agentId: string,
  ): Promise<Deletion> {
    return deleteReview(ctx, agentId);
  }

  @Access('agents:write')
  @Mutation(() => ReviewType, { description: 'Replies to a review of one of the caller’s agents.' })
  async replyToReview(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Review ID.' }) id: string,
    @Arg('input', () => ReplyInput) input: ReplyInput,
  ): Promise<ReviewType> {
    return toReview(ctx)(await replyToReview(ctx, id, input));
  }
}
