import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { MessageRole } from '../src/conversations/messages/message.entity.ts';
import { continueShare } from '../src/social/shares/continue-share.ts';
import type { ShareView } from '../src/social/shares/share-view.ts';
import { createShare, listShares, revokeShare } from '../src/social/shares/shares.ts';
import { viewShared } from '../src/social/shares/view-shared.ts';
import { maxSharedMessages, shareInput, type ShareType } from '../src/social/social.input.ts';
import { PublicProfileType } from './agent-details.ts';
import { AgentType, toAgent } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { ConversationType, toConversation } from './conversations.ts';
import { Access, ListSize, RateLimit, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { MessageRoleEnum } from './messages.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';

export const ShareTypeEnum = enumType<ShareType>('ShareType', 'Kind of shared content.', {
  agent: 'A public agent.',
  conversation: 'A copy of messages of a conversation, made at the time of sharing.',
});

@ObjectType('Share', { description: 'A link to an agent or to messages of a conversation, as its owner sees it.' })
class ShareObject {
  @Field(() => ID, { description: 'Share ID (`shr_…`).' }) id!: string;
  @Field(() => ShareTypeEnum, { description: 'Kind of the shared content.' }) type!: ShareType;
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => ID, { nullable: true, description: 'ID of the conversation; null for an agent.' })
  conversationId!: string | null;
  @Field(() => String, { nullable: true, description: 'Title.' }) title!: string | null;
  @Field(() => String, { nullable: true, description: 'The owner’s note.' }) note!: string | null;
  @Field(() => String, { nullable: true, description: 'The link. Only the response to its creation contains it.' })
  url!: string | null;
  @Field(() => Boolean, { description: 'Whether the sharer is hidden.' }) anonymous!: boolean;
  @Field(() => Boolean, { description: 'Whether it appears in the feeds of followers.' }) inFeed!: boolean;
  @Field(() => Boolean, { description: 'Whether search engines may index it.' }) indexable!: boolean;
  @Field(() => Int, { description: 'Number of messages; 0 for an agent.' }) messageCount!: number;
  @Field(() => Int, { description: 'Number of views by others.' }) viewCount!: number;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'Time of the revocation; null while it is valid.' })
  revokedAt!: Date | null;
}

@ObjectType({ description: 'A page of shares, newest first.' })
class ShareList extends pageOf('shares', ShareObject) {}

@ObjectType('SharedMessage', { description: 'A copy of a message, made at the time of sharing.' })
class SharedMessageType {
  @Field(() => MessageRoleEnum, { description: 'Author of the message.' }) role!: MessageRole;
  @Field(() => String, { description: 'Text of the message, as Markdown.' }) content!: string;
}

@ObjectType({ description: 'The content of a shared link.' })
class SharedConversation {
  @Field(() => ID, { description: 'Share ID (`shr_…`), to report it.' }) id!: string;
  @Field(() => ShareTypeEnum, { description: 'Kind of the shared content.' }) type!: ShareType;
  @Field(() => String, { nullable: true, description: 'Title.' }) title!: string | null;
  @Field(() => String, { nullable: true, description: 'The owner’s note. Plain text.' })
  note!: string | null;
  @Field(() => ID, { nullable: true, description: 'ID of the agent; null if it is not visible to the caller.' })
  agentId!: string | null;
  @Field(() => String, { description: 'Name of the agent when it was shared.' }) agentName!: string;
  @ListSize(maxSharedMessages)
  @Field(() => [SharedMessageType], { description: 'The messages, oldest first; none for an agent.' })
  messages!: SharedMessageType[];
  @Field(() => PublicProfileType, {
    nullable: true,
    description: 'The user who shared it; null if the share is anonymous or the profile is not visible to the caller.',
  })
  sharedBy!: PublicProfileType | null;
  @Field(() => Boolean, { description: 'Whether search engines may index it. If not, pages should declare `noindex`.' })
  indexable!: boolean;
  @Field(() => Date, { description: 'Time of sharing.' }) createdAt!: Date;
}

@InputType({ description: 'What to share.' })
@Rules(shareInput)
class ShareInput {
  @Field(() => ShareTypeEnum, { description: 'Kind of the content to share.' }) type!: ShareType;
  @Field(() => ID, { nullable: true, description: 'ID of a public agent, for the type `agent`.' }) agentId?: string;
  @Field(() => ID, { nullable: true, description: 'ID of one of your conversations, for the type `conversation`.' })
  conversationId?: string;
  @Field(() => ID, {
    nullable: true,
    description: 'Shares the messages up to this one, at most 200. Defaults to all of the active branch.',
  })
  upToMessageId?: string;
  @Field(() => [ID], { nullable: true, description: 'Shares only these messages, 1 to 200.' }) messageIds?: string[];
  @Field(() => String, { nullable: true, description: 'Title, 1 to 200 characters.' }) title?: string;
  @Field(() => String, { nullable: true, description: 'Note, 1 to 500 characters.' }) note?: string;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to hide the sharer. Defaults to true for a conversation and false for an agent.',
  })
  anonymous?: boolean;
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether it appears in the feeds of followers. Cannot be combined with `anonymous`. Defaults to false.',
  })
  inFeed?: boolean;
  @Field(() => Boolean, { nullable: true, description: 'Whether search engines may index it. Defaults to false.' })
  indexable?: boolean;
}

const toShare = ({ ownerId: _owner, ...share }: ShareView, url: string | null = null): ShareObject => ({
  ...share,
  conversationId: share.conversationId ?? null,
  title: share.title ?? null,
  note: share.note ?? null,
  revokedAt: share.revokedAt ?? null,
  url,
});

const TokenArg = (): ParameterDecorator =>
  Arg('token', () => String, {
    description: 'The last part of the link, or the ID of a share in a feed.',
  }) as ParameterDecorator;

@Resolver(() => SharedConversation)
export class ShareResolver {
  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => ShareObject, {
    description: 'Shares an agent or a conversation. Only this response contains the link.',
  })
  async createShare(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ShareInput) input: ShareInput,
  ): Promise<ShareObject> {
    const { share, token } = await createShare(ctx, input);
    return toShare(share, `${ctx.config.publicUrl}/share/${token}`);
  }

  @Access('social:read')
  @Query(() => ShareList, { description: 'Lists the caller’s shares, newest first.' })
  async shares(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<ShareList> {
    const page = await listShares(ctx, { ...paging, counted });
    return { ...page, data: page.data.map((share) => toShare(share)) };
  }

  @Access('social:write')
  @RateLimit('socialWrites')
  @Mutation(() => ShareObject, { description: 'Revokes a shared link with immediate effect.' })
  async revokeShare(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Share ID.' }) id: string,
  ): Promise<ShareObject> {
    return toShare(await revokeShare(ctx, id));
  }

  @Access('public')
  @Query(() => SharedConversation, { description: 'Returns the content of a shared link.' })
  async sharedConversation(@Ctx() ctx: GraphqlContext, @TokenArg() token: string): Promise<SharedConversation> {
    const { ownerId: _owner, isAgentShown, sharedBy, ...shared } = await viewShared(ctx, token);
    ctx.budget.spend(...shared.messages.map(({ content }) => content));
    return {
      ...shared,
      title: shared.title ?? null,
      note: shared.note ?? null,
      agentId: isAgentShown ? shared.agentId : null,
      sharedBy: sharedBy && {
        ...sharedBy,
        displayName: sharedBy.displayName ?? null,
        avatarUrl: sharedBy.avatarUrl ?? null,
      },
    };
  }

  @FieldResolver(() => AgentType, {
    nullable: true,
    description: 'The agent; null if it is not visible to the caller.',
  })
  async agent(@Root() { agentId }: SharedConversation, @Ctx() ctx: GraphqlContext): Promise<AgentType | null> {
    const agent = agentId === null ? null : await ctx.loaders.agent.load(agentId);
    return agent && toAgent(agent, ctx.actor);
  }

  @Access('conversations:write')
  @RateLimit('socialWrites')
  @Mutation(() => ConversationType, {
    description: 'Starts a conversation with the agent of a shared link. It begins with a copy of the shared messages.',
  })
  async continueShare(@Ctx() ctx: GraphqlContext, @TokenArg() token: string): Promise<ConversationType> {
    return toConversation(await continueShare(ctx, token));
  }
}
