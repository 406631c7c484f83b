import { Arg, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { hasNewerMessages, listMessages } from '../src/conversations/messages/messages.ts';
import type { GraphqlContext } from './context.ts';
import { Access, GraphqlOnly } from './decorators.ts';
import { MessageType, toMessage } from './messages.ts';
import { PageInfo, type Paging, PagingArgs } from './page-info.ts';

@ObjectType({ description: 'A page of messages, newest first.' })
class MessageList {
  @Field(() => [MessageType], { description: 'Messages on this page.' }) data!: MessageType[];
  @Field(() => Boolean, { description: 'Whether more items follow this page.' }) hasMore!: boolean;
  @GraphqlOnly()
  @Field(() => PageInfo, { description: 'Cursors and whether there is a next page.' })
  pageInfo!: PageInfo;
  @GraphqlOnly()
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first item; pass it as `newerThan`. Null for an empty page.',
  })
  startCursor!: string | null;
  conversationId!: string;
  isNewest!: boolean;
}

@Resolver(() => MessageList)
export class MessageListResolver {
  @Access('conversations:read')
  @Query(() => MessageList, { description: 'Lists the messages of a conversation, newest first.' })
  async messages(
    @Ctx() ctx: GraphqlContext,
    @Arg('conversationId', () => ID, { description: 'Conversation ID.' }) conversationId: string,
    @PagingArgs() paging: Paging,
    @Arg('before', () => ID, { nullable: true, description: 'Only messages older than the message with this ID.' })
    before?: string,
    @Arg('around', () => ID, {
      nullable: true,
      description:
        'Returns a page centred on this message, which must be on the active branch. Cannot be combined with other positions.',
    })
    around?: string,
    @Arg('newerThan', () => String, {
      nullable: true,
      description:
        'The `startCursor` of a page; returns the newer messages next to it. Cannot be combined with other positions.',
    })
    newerThan?: string,
  ): Promise<MessageList> {
    const page = await listMessages(ctx, conversationId, { before, ...paging, around, newerThan });
    ctx.budget.spend(...page.data.map(({ content }) => content));
    return { ...page, conversationId, data: page.data.map(toMessage), hasMore: page.pageInfo.hasNextPage };
  }

  @GraphqlOnly()
  @FieldResolver(() => Boolean, { description: 'Whether newer messages precede this page.' })
  hasNewer(
    @Root() { conversationId, startCursor, isNewest }: MessageList,
    @Ctx() ctx: GraphqlContext,
  ): Promise<boolean> | boolean {
    // Messages stored after the newest page was read arrive as events; clients must not treat the page as an older one.
    return !isNewest && startCursor !== null && hasNewerMessages(ctx, conversationId, startCursor);
  }
}
