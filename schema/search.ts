import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { searchConversations } from '../src/conversations/search/search.ts';
import type { GraphqlContext } from './context.ts';
import { Access, GraphqlOnly } from './decorators.ts';
import { MessageType, toMessage } from './messages.ts';
import { AfterArg, LimitArg, PageInfo } from './page-info.ts';

@ObjectType({ description: 'The conversation of a search result.' })
class FoundConversation {
  @Field(() => ID, { description: 'Conversation ID (`conv_…`).' }) id!: string;
  @Field(() => String, { nullable: true, description: 'Title; null until it exists.' }) title!: string | null;
}

@ObjectType({ description: 'A matching message, or the newest message of a conversation whose title matches.' })
class SearchResult {
  @Field(() => MessageType, { description: 'The message.' }) message!: MessageType;
  @Field(() => FoundConversation, { description: 'Conversation of the message.' }) conversation!: FoundConversation;
  @Field(() => String, { description: 'Excerpt as escaped HTML, with `<mark>` around the matches.' })
  highlight!: string;
}

@ObjectType({ description: 'Search results, best match first, ties newest first.' })
class SearchResultList {
  @Field(() => [SearchResult], { description: 'Search results on this page.' }) data!: SearchResult[];
  @Field(() => Boolean, { description: 'Whether more items follow this page.' }) hasMore!: boolean;
  @Field(() => Int, { description: 'Number of matching messages, counted up to 1,000.' }) total!: number;
  @GraphqlOnly()
  @Field(() => PageInfo, { description: 'Cursors and whether there is a next page.' })
  pageInfo!: PageInfo;
}

@Resolver()
export class SearchResolver {
  @Access('conversations:read')
  @Query(() => SearchResultList, { description: 'Searches the caller’s messages and conversation titles.' })
  async searchConversations(
    @Ctx() ctx: GraphqlContext,
    @Arg('q', () => String, {
      description: 'Search text: words, "phrases" and -exclusions; `or` separates alternatives.',
    })
    q: string,
    @LimitArg() limit?: number,
    @AfterArg() after?: string,
    @Arg('agentId', () => ID, { nullable: true, description: 'Only conversations with this agent.' }) agentId?: string,
    @Arg('since', () => Date, { nullable: true, description: 'Only messages created at or after this time.' })
    since?: Date,
  ): Promise<SearchResultList> {
    const page = await searchConversations(ctx, { q, limit, after, agentId, since });
    ctx.budget.spend(...page.data.map(({ message }) => message.content));
    return { ...page, data: page.data.map((result) => ({ ...result, message: toMessage(result.message) })) };
  }
}
