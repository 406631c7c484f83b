import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { searchConversations } from '../src/conversations/search.ts';
import type { GraphqlContext } from './context.ts';
import { Access } from './decorators.ts';
import { MessageType, toMessage } from './messages.ts';

@ObjectType({ description: 'The conversation that a found message belongs to.' })
class FoundConversation {
  @Field(() => ID) id!: string;
  @Field(() => String, { nullable: true }) title!: string | null;
}

@ObjectType({ description: 'One message that matches, or the newest of a conversation whose title matches.' })
class SearchResult {
  @Field(() => MessageType) message!: MessageType;
  @Field(() => FoundConversation) conversation!: FoundConversation;
  @Field(() => String, { description: 'A piece of the text as escaped HTML, `<mark>` around what matches.' })
  highlight!: string;
}

@ObjectType({ description: 'What was found, best first, then newest.' })
class SearchResultList {
  @Field(() => [SearchResult]) data!: SearchResult[];
  @Field(() => Boolean) hasMore!: boolean;
  @Field(() => Int, { description: 'Messages that match; counted up to 10,000.' }) total!: number;
}

@Resolver()
export class SearchResolver {
  @Access('conversations:read')
  @Query(() => SearchResultList, { description: 'Searches the caller’s messages and titles.' })
  async searchConversations(
    @Ctx() ctx: GraphqlContext,
    @Arg('q', () => String, { description: 'Words, "phrases" and -exclusions; `or` between alternatives.' }) q: string,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, default 20.' }) limit?: number,
  ): Promise<SearchResultList> {
    const page = await searchConversations(ctx, { q, limit });
    return { ...page, data: page.data.map((result) => ({ ...result, message: toMessage(result.message) })) };
  }
}
