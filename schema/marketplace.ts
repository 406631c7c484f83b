import { Arg, Ctx, Field, FieldResolver, ID, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { AgentCategory } from '../src/agents/agent.input.ts';
import { copyAgent } from '../src/marketplace/copy-agent.ts';
import { featureAgent, stopFeaturingAgent } from '../src/marketplace/featured.ts';
import { getMarketplaceHome } from '../src/marketplace/home.ts';
import type { MarketplaceSort } from '../src/marketplace/listing.input.ts';
import { getListing, getOwnListing, updateListing } from '../src/marketplace/listing.ts';
import { listMarketplace } from '../src/marketplace/marketplace.ts';
import { AgentIdArg } from './agent-id-arg.ts';
import { AgentCategoryEnum, AgentType, toAgent } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWithoutCredential, Access, GraphqlOnly, ListSize } from './decorators.ts';
import { Deletion } from './deletion.ts';
import {
  ListingInput,
  ListingList,
  ListingType,
  MarketplaceSortEnum,
  toListing,
  toListingDetail,
} from './listing-types.ts';
import { IsCounted, type Paging, PagingArgs } from './page-info.ts';
import { ReviewType, toReview } from './reviews.ts';

@ObjectType({ description: 'The most popular agents of a category.' })
class CategorySection {
  @Field(() => AgentCategoryEnum, { description: 'The category.' }) category!: AgentCategory;
  @ListSize(12)
  @Field(() => [ListingType], { description: 'At most 12 listings.' })
  data!: ListingType[];
}

@ObjectType({ description: 'The first page of the marketplace.' })
class MarketplaceHome {
  @ListSize(12)
  @Field(() => [ListingType], { description: 'Agents featured by the moderators, at most 12.' })
  featured!: ListingType[];
  @ListSize(12)
  @Field(() => [ListingType], { description: 'Agents with the most active users in recent days, at most 12.' })
  trending!: ListingType[];
  @ListSize(12)
  @Field(() => [ListingType], { description: 'Most recently published agents, at most 12.' })
  new!: ListingType[];
  @ListSize(8)
  @Field(() => [CategorySection], { description: 'Categories that contain agents.' })
  categories!: CategorySection[];
}

@Resolver(() => ListingType)
export class MarketplaceResolver {
  @GraphqlOnly()
  @FieldResolver(() => Boolean, { description: 'Whether it is featured by the moderators.' })
  async featured(@Root() { agentId }: ListingType, @Ctx() ctx: GraphqlContext): Promise<boolean> {
    return ctx.loaders.featured.load(agentId);
  }

  @AbsentWithoutCredential()
  @FieldResolver(() => ReviewType, {
    nullable: true,
    description: 'The caller’s own review, if the request has a credential; null if they have written none.',
  })
  async myReview(@Root() { agentId }: ListingType, @Ctx() ctx: GraphqlContext): Promise<ReviewType | null> {
    if (ctx.actor.kind !== 'user') return null;
    const review = await ctx.loaders.ownReview.load(agentId);
    return review && toReview(ctx)(review);
  }

  @Access('public')
  @Query(() => ListingList, { description: 'Lists the agents in the marketplace.' })
  async marketplace(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
    @Arg('q', () => String, {
      nullable: true,
      description: 'Search text for name, description, tags and the listing’s text, at most 200 characters.',
    })
    q?: string,
    @Arg('category', () => AgentCategoryEnum, { nullable: true, description: 'Only agents of this category.' })
    category?: AgentCategory,
    @Arg('tag', () => String, { nullable: true, description: 'Only agents with this tag.' }) tag?: string,
    @Arg('language', () => String, { nullable: true, description: 'Only agents of this language (ISO 639-1).' })
    language?: string,
    @Arg('creator', () => String, { nullable: true, description: 'Only agents of this user: a username or a user ID.' })
    creator?: string,
    @Arg('sort', () => MarketplaceSortEnum, {
      nullable: true,
      description: 'Sort order. Defaults to RELEVANCE with a search text, otherwise to TRENDING.',
    })
    sort?: MarketplaceSort,
    @Arg('mature', () => Boolean, {
      nullable: true,
      description: 'Whether to include mature agents, for users who have opted in.',
    })
    mature?: boolean,
  ): Promise<ListingList> {
    const filter = { q, category, tag, language, creator, sort, mature };
    const page = await listMarketplace(ctx, { ...filter, ...paging, counted });
    ctx.budget.spend(...page.data.map(({ about }) => about));
    return { ...page, data: page.data.map(toListing(ctx)) };
  }

  @Access('public')
  @Query(() => MarketplaceHome, { description: 'Returns the first page of the marketplace.' })
  async marketplaceHome(@Ctx() ctx: GraphqlContext): Promise<MarketplaceHome> {
    const home = await getMarketplaceHome(ctx);
    const shown = toListing(ctx);
    return {
      featured: home.featured.map(shown),
      trending: home.trending.map(shown),
      new: home.recent.map(shown),
      categories: home.categories.map(({ category, data }) => ({ category, data: data.map(shown) })),
    };
  }

  @Access('public')
  @Query(() => ListingType, { description: 'Returns the listing of a public agent or of one of the caller’s own.' })
  async listing(
    @Ctx() ctx: GraphqlContext,
    @Arg('id', () => ID, { description: 'ID of the agent, or its slug.' }) id: string,
  ): Promise<ListingType> {
    return toListingDetail(ctx)(await getListing(ctx, id));
  }

  @Access('agents:read')
  @Query(() => ListingType, { description: 'Returns the listing of one of the caller’s agents.' })
  async agentListing(@Ctx() ctx: GraphqlContext, @AgentIdArg() agentId: string): Promise<ListingType> {
    return toListingDetail(ctx)(await getOwnListing(ctx, agentId));
  }

  @Access('agents:write')
  @Mutation(() => ListingType, { description: 'Updates the listing of one of the caller’s agents.' })
  async updateListing(
    @Ctx() ctx: GraphqlContext,
    @AgentIdArg() agentId: string,
    @Arg('input', () => ListingInput) input: ListingInput,
  ): Promise<ListingType> {
    return toListingDetail(ctx)(await updateListing(ctx, agentId, input));
  }

  @Access('agents:write')
  @Mutation(() => AgentType, {
    description:
      'Copies one of the caller’s agents, or another user’s agent that may be copied. The copy is private and has no documents, integrations or listing.',
  })
  async copyAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the agent.' }) agentId: string,
  ): Promise<AgentType> {
    return toAgent(await copyAgent(ctx, agentId), ctx.actor);
  }

  @Access('moderator')
  @Mutation(() => ListingType, { description: 'Features a public agent in the marketplace. For moderators.' })
  async featureAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the agent.' }) agentId: string,
  ): Promise<ListingType> {
    return toListingDetail(ctx)(await featureAgent(ctx, agentId));
  }

  @Access('moderator')
  @Mutation(() => Deletion, { description: 'Stops featuring an agent. For moderators.' })
  stopFeaturingAgent(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the agent.' }) agentId: string,
  ): Promise<Deletion> {
    return stopFeaturingAgent(ctx, agentId);
  }
}

@Resolver(() => AgentType)
export class AgentListingResolver {
  @GraphqlOnly()
  @FieldResolver(() => ListingType, { nullable: true, description: 'Marketplace listing of the agent.' })
  async listing(@Root() { id }: AgentType, @Ctx() ctx: GraphqlContext): Promise<ListingType | null> {
    const listing = await ctx.loaders.listing.load(id);
    return listing && toListing(ctx)(listing);
  }
}
