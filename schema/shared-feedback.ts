import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { listSharedFeedback } from '../src/conversations/messages/shared-feedback.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { FeedbackRatingEnum } from './message-branches.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';

@ObjectType('SharedFeedback', {
  description: 'A rating that a person shared with the owner of the agent, and the rated exchange.',
})
class SharedFeedbackType {
  @Field(() => ID, { description: 'ID of the rated reply.' }) messageId!: string;
  @Field(() => FeedbackRatingEnum, { description: 'Rating of the reply.' }) rating!: 'up' | 'down';
  @Field(() => String, { nullable: true, description: 'Reason for the rating; null if none was given.' }) comment!:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'Message of the person; null if the reply is a greeting.' })
  question!: string | null;
  @Field(() => String, { description: 'Text of the reply.' }) reply!: string;
  @Field(() => ID, {
    nullable: true,
    description: 'The version that replied; null if it was removed, and for replies older than 30 days.',
  })
  versionId!: string | null;
  @Field(() => Int, { nullable: true, description: 'Number of the version.' }) versionNumber!: number | null;
  @Field(() => Date, { description: 'Time of sharing.' }) sharedAt!: Date;
}

@ObjectType({ description: 'A page of shared feedback, newest first.' })
class SharedFeedbackList extends pageOf('feedback', SharedFeedbackType, 'Number of items in the whole list.') {}

@Resolver()
export class SharedFeedbackResolver {
  @Access('studio:read')
  @Query(() => SharedFeedbackList, {
    description: 'Lists ratings that people chose to share with the owner of the agent, without their names.',
  })
  async sharedFeedback(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of one of your agents.' }) agentId: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<SharedFeedbackList> {
    const page = await listSharedFeedback(ctx, agentId, { ...paging, counted });
    ctx.budget.spend(...page.data.flatMap(({ comment, question, reply }) => [comment, question, reply]));
    return page;
  }
}
