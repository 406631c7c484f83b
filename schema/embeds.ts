import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type {
  EmbedChallenge,
  EmbedIdentity,
  EmbedPosition,
  EmbedTheme,
  IdentityFault,
} from '../src/embeds/embed.input.ts';
import { getEmbedStats } from '../src/embeds/embed-stats.ts';
import type { EmbedView } from '../src/embeds/embed-view.ts';
import { createEmbed, getEmbed, listEmbeds, rotateEmbedSecret, updateEmbed } from '../src/embeds/embeds.ts';
import { deleteEmbed } from '../src/embeds/remove-embed.ts';
import { deleteEmbedVisitor } from '../src/embeds/visitors/forget-visitor.ts';
import { listEmbedVisitors, type VisitorView } from '../src/embeds/visitors/list-visitors.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, Access, GraphqlOnly, ListSize } from './decorators.ts';
import { Deletion } from './deletion.ts';
import {
  ChallengeEnum,
  CreateEmbedInput,
  IdentityEnum,
  IdentityFaultEnum,
  PositionEnum,
  ThemeEnum,
  UpdateEmbedInput,
} from './embed-inputs.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';

@ObjectType({ description: 'Message limits of an embed.' })
class EmbedLimits {
  @Field(() => Int, { description: 'Messages per UTC day.' }) perDay!: number;
  @Field(() => Int, { description: 'Messages per visitor and UTC day.' }) perVisitorDay!: number;
  @Field(() => Int, { description: 'Messages per network address and hour.' }) perAddressHour!: number;
}

@ObjectType({ description: 'Appearance of the chat.' })
class EmbedAppearance {
  @Field(() => String, { nullable: true, description: 'Title; null for the agent’s name.' }) title!: string | null;
  @Field(() => String, { description: 'Colour of the button, such as `#4a4fc8`.' }) color!: string;
  @Field(() => PositionEnum, { description: 'Corner of the page.' }) position!: EmbedPosition;
  @Field(() => Boolean, { description: 'Whether the agent’s picture is shown.' }) avatar!: boolean;
  @Field(() => [String], { description: 'Suggested first questions.' }) starters!: string[];
  @Field(() => String, { nullable: true, description: 'Language tag; null for the language of the browser.' })
  language!: string | null;
  @Field(() => ThemeEnum, { description: 'Colour scheme.' }) dark!: EmbedTheme;
}

@ObjectType('Embed', { description: 'An agent in a chat on other websites.' })
class EmbedType {
  @Field(() => ID, { description: 'Embed ID (`emb_…`). It is public.' }) id!: string;
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => String, { description: 'Name; visible only to the owner.' }) name!: string;
  @Field(() => Boolean, { description: 'Whether the embed accepts visitors.' }) active!: boolean;
  @Field(() => [String], { description: 'Websites that may show the embed.' }) allowedOrigins!: string[];
  @Field(() => Boolean, { description: 'Whether `http://localhost` is allowed as an origin.' }) test!: boolean;
  @Field(() => IdentityEnum, { description: 'Whether visitors are identified.' }) identity!: EmbedIdentity;
  @AbsentWhenNull()
  @Field(() => String, {
    nullable: true,
    description: 'Secret (`ems_…`) that signs identity tokens. It is returned only at creation and rotation.',
  })
  identitySecret!: string | null;
  @Field(() => EmbedLimits, { description: 'Message limits.' }) limits!: EmbedLimits;
  @Field(() => ChallengeEnum, { description: 'Challenge for new visitors.' }) challenge!: EmbedChallenge;
  @Field(() => String, { nullable: true, description: 'Site key of the challenge; null to use the service’s key.' })
  challengeSiteKey!: string | null;
  @Field(() => EmbedAppearance, { description: 'Appearance of the chat.' }) appearance!: EmbedAppearance;
  @Field(() => Int, { description: 'Days after which inactive visitors and their conversations are erased.' })
  retentionDays!: number;
  @Field(() => String, {
    nullable: true,
    description:
      'Notice shown before the first message; null for the default, which says that an AI replies and who can read the conversation.',
  })
  notice!: string | null;
  @Field(() => Int, { description: 'Total number of messages.' }) messageCount!: number;
  @Field(() => Int, { description: 'Total number of visitors.' }) visitorCount!: number;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => Date, { description: 'Time of the last change.' }) updatedAt!: Date;
  @GraphqlOnly()
  @Field(() => String, { description: 'HTML snippet that adds the embed to a website.' })
  snippet!: string;
}

@ObjectType({ description: 'A page of embeds, newest first.' })
class EmbedList extends pageOf('embeds', EmbedType) {}

@ObjectType('EmbedVisitor', { description: 'A person on a website that shows an embed.' })
class EmbedVisitorType {
  @Field(() => ID, { description: 'Visitor ID (`vis_…`).' }) id!: string;
  @Field(() => String, { nullable: true, description: '`sub` of the identity token; null for an anonymous visitor.' })
  externalId!: string | null;
  @Field(() => String, { nullable: true, description: 'Name from the identity token.' }) name!: string | null;
  @GraphqlOnly()
  @Field(() => ID, { nullable: true, description: 'ID of the current conversation.' })
  conversationId!: string | null;
  @Field(() => Date, { description: 'Time of the first visit.' }) createdAt!: Date;
  @Field(() => Date, { description: 'Time of the last visit.' }) lastSeenAt!: Date;
}

@ObjectType({ description: 'A page of visitors, last seen first.' })
class EmbedVisitorList extends pageOf('visitors', EmbedVisitorType) {}

@ObjectType({ description: 'Refused messages by limit.' })
class EmbedRefusals {
  @Field(() => Int, { description: 'Messages refused by the daily limit.' }) perDay!: number;
  @Field(() => Int, { description: 'Messages refused by the limit per visitor.' }) perVisitorDay!: number;
  @Field(() => Int, { description: 'Messages refused by the limit per network address.' }) perAddressHour!: number;
}

@ObjectType({ description: 'Refused identities of visitors with the same fault.' })
class EmbedIdentityFaults {
  @Field(() => IdentityFaultEnum, { description: 'What was wrong.' }) fault!: IdentityFault;
  @Field(() => Int, { description: 'Number of refusals.' }) count!: number;
}

@ObjectType({ description: 'Statistics of an embed for a UTC day.' })
class EmbedDayType {
  @Field(() => String, { description: 'The day, `YYYY-MM-DD`.' }) date!: string;
  @Field(() => Int, { description: 'Visitors who opened the chat or sent a message.' }) visitors!: number;
  @Field(() => Int, { description: 'Messages accepted.' }) messages!: number;
  @Field(() => EmbedRefusals, { description: 'Messages refused.' }) refused!: EmbedRefusals;
  @ListSize(9)
  @Field(() => [EmbedIdentityFaults], { description: 'Refused identity tokens of visitors, by fault.' })
  identityFaults!: EmbedIdentityFaults[];
  @Field(() => Int, { description: 'Messages charged to the owner.' }) cost!: number;
}

@ObjectType({ description: 'Daily statistics of an embed.' })
class EmbedStats {
  @Field(() => ID, { description: 'Embed ID.' }) embedId!: string;
  @ListSize(90)
  @Field(() => [EmbedDayType], { description: 'Each day of the period, oldest first; the last is today.' })
  days!: EmbedDayType[];
}

const toEmbed =
  ({ config }: GraphqlContext, secret: string | null = null) =>
  (embed: EmbedView): EmbedType => ({
    ...embed,
    appearance: { ...embed.appearance },
    limits: { perDay: embed.perDay, perVisitorDay: embed.perVisitorDay, perAddressHour: embed.perAddressHour },
    challengeSiteKey: embed.challengeSiteKey ?? null,
    notice: embed.notice ?? null,
    identitySecret: secret,
    snippet: `<script async src="${config.publicUrl}/embed/v1/widget.js" data-embed="${embed.id}"></script>`,
  });

const toVisitor = (visitor: VisitorView): EmbedVisitorType => ({
  ...visitor,
  externalId: visitor.externalId ?? null,
  name: visitor.name ?? null,
  conversationId: visitor.conversationId ?? null,
});

@Resolver()
export class EmbedResolver {
  @Access('embeds:write')
  @Mutation(() => EmbedType, {
    description: 'Creates an embed. Only this response and a rotation return the identity secret.',
  })
  async createEmbed(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => CreateEmbedInput) input: CreateEmbedInput,
  ): Promise<EmbedType> {
    const { embed, secret } = await createEmbed(ctx, input);
    return toEmbed(ctx, secret)(embed);
  }

  @Access('embeds:read')
  @Query(() => EmbedList, { description: 'Lists the caller’s embeds, newest first.' })
  async embeds(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<EmbedList> {
    const page = await listEmbeds(ctx, { ...paging, counted });
    return { ...page, data: page.data.map(toEmbed(ctx)) };
  }

  @Access('embeds:read')
  @Query(() => EmbedType, { description: 'Returns one of the caller’s embeds.' })
  async embed(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Embed ID.' }) id: string,
  ): Promise<EmbedType> {
    return toEmbed(ctx)(await getEmbed(ctx, id));
  }

  @Access('embeds:read')
  @Query(() => EmbedStats, { description: 'Returns daily statistics of an embed.' })
  embedStats(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Embed ID.' }) id: string,
    @Arg('days', () => Int, { nullable: true, description: 'Number of days, 1 to 90. Defaults to 30.' }) days?: number,
  ): Promise<EmbedStats> {
    return getEmbedStats(ctx, id, { days });
  }

  @Access('embeds:read')
  @Query(() => EmbedVisitorList, { description: 'Lists the visitors of an embed, last seen first.' })
  async embedVisitors(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Embed ID.' }) id: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<EmbedVisitorList> {
    const page = await listEmbedVisitors(ctx, id, { ...paging, counted });
    return { ...page, data: page.data.map(toVisitor) };
  }

  @Access('embeds:write')
  @Mutation(() => EmbedType, { description: 'Updates an embed.' })
  async updateEmbed(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Embed ID.' }) id: string,
    @Arg('input', () => UpdateEmbedInput) input: UpdateEmbedInput,
  ): Promise<EmbedType> {
    return toEmbed(ctx)(await updateEmbed(ctx, id, input));
  }

  @Access('embeds:write')
  @Mutation(() => Deletion, {
    description: 'Deletes an embed with its visitors and, by default, their conversations.',
  })
  deleteEmbed(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Embed ID.' }) id: string,
    @Arg('keepConversations', () => Boolean, {
      nullable: true,
      description: 'Whether to keep the conversations. Defaults to false.',
    })
    keepConversations?: boolean,
  ): Promise<Deletion> {
    return deleteEmbed(ctx, id, keepConversations ?? false);
  }

  @Access('embeds:write')
  @Mutation(() => EmbedType, {
    description: 'Replaces the identity secret. Tokens signed with the old one are accepted for 24 hours.',
  })
  async rotateEmbedSecret(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Embed ID.' }) id: string,
  ): Promise<EmbedType> {
    const { embed, secret } = await rotateEmbedSecret(ctx, id);
    return toEmbed(ctx, secret)(embed);
  }

  @Access('embeds:write')
  @Mutation(() => Deletion, { description: 'Erases a visitor of an embed with all their conversations.' })
  deleteEmbedVisitor(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'Embed ID.' }) id: string,
    @Arg('visitorId', () => ID, { description: 'Visitor ID.' }) visitorId: string,
  ): Promise<Deletion> {
    return deleteEmbedVisitor(ctx, id, visitorId);
  }
}
