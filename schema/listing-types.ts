import { owns } from '../src/core/actor.ts';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { AgentCategory } from '../src/agents/agent.input.ts';
import { isOpen } from '../src/agents/agent.policy.ts';
import type { ModelId } from '../src/agents/models.ts';
import type { VoiceId } from '../src/agents/voices.ts';
import { type ContentRating, listingInput, type MarketplaceSort } from '../src/marketplace/listing.input.ts';
import type { FoundListing } from '../src/marketplace/listing.ts';
import { type ListingView, ratingOf, shownPeople } from '../src/marketplace/listing-view.ts';
import { AgentCategoryEnum } from './agents.ts';
import type { GraphqlContext } from './context.ts';
import { AbsentWhenNull, GraphqlOnly, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { ModelIdEnum } from './models.ts';
import { pageOf } from './page-info.ts';
import { VoiceIdEnum } from './voice.ts';

type ListingStatus = 'listed' | 'in_review' | 'held' | 'removed' | 'unlisted';

const ListingStatusEnum = enumType<ListingStatus>('ListingStatus', 'Visibility of an agent in the marketplace.', {
  listed: 'Listed in the marketplace.',
  in_review: 'Waiting for a moderator; visible only to the owner.',
  held: 'Hidden from lists until a moderator has reviewed it; direct use continues.',
  removed: 'Removed by a moderator; visible only to the owner.',
  unlisted: 'Private.',
});

const ContentRatingEnum = enumType<ContentRating>('ContentRating', 'Intended audience of an agent.', {
  everyone: 'Everyone.',
  mature: 'Adults. The agent is hidden from lists unless a user has opted in.',
});

export const MarketplaceSortEnum = enumType<MarketplaceSort>('MarketplaceSort', 'Order of the marketplace.', {
  popular: 'Most messages in total first.',
  trending: 'Agents with the most active users in recent days first.',
  recent: 'Most recently published first.',
  rating: 'Best rated first.',
  relevance: 'Best match for the search text first.',
});

@ObjectType({ description: 'The user who created an agent.' })
export class ListingCreator {
  @Field(() => ID, { description: 'User ID (`usr_…`).' }) id!: string;
  @Field(() => String, { description: 'Unique name.' }) username!: string;
  @Field(() => String, { nullable: true, description: 'Display name; null until the user sets one.' })
  displayName!: string | null;
  @Field(() => String, { nullable: true, description: 'URL of a square image.' }) avatarUrl!: string | null;
}

@ObjectType('Listing', { description: 'An agent’s listing in the marketplace.' })
export class ListingType {
  @Field(() => ID, { description: 'ID of the agent.' }) agentId!: string;
  @Field(() => String, { description: 'Name in URLs; the ID of the agent until it has one.' }) slug!: string;
  @AbsentWhenNull()
  @Field(() => String, { nullable: true, description: 'The current slug, if the request used an old one.' })
  movedTo!: string | null;
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Short description.' }) description!: string | null;
  @Field(() => String, { nullable: true, description: 'URL of a square image.' }) avatarUrl!: string | null;
  @Field(() => AgentCategoryEnum, { nullable: true, description: 'Category.' }) category!: AgentCategory | null;
  @Field(() => ModelIdEnum, { description: 'Language model that writes the replies.' }) model!: ModelId;
  @Field(() => String, { nullable: true, description: 'First message of every new conversation.' })
  greetingMessage!: string | null;
  @Field(() => VoiceIdEnum, { nullable: true, description: 'Voice; null for the default voice.' })
  voiceId!: VoiceId | null;
  @AbsentWhenNull()
  @Field(() => ListingStatusEnum, {
    nullable: true,
    description: 'Visibility in the marketplace; visible only to the owner.',
  })
  status!: ListingStatus | null;
  @Field(() => String, {
    nullable: true,
    description: 'Description in Markdown, exactly as the owner wrote it. Show any HTML in it as text.',
  })
  about!: string | null;
  @Field(() => [String], { description: 'Suggested first messages, at most 4.' }) starters!: string[];
  @Field(() => [String], { description: 'Tags, at most 5.' }) tags!: string[];
  @Field(() => String, { nullable: true, description: 'Language of the agent (ISO 639-1).' }) language!: string | null;
  @Field(() => ContentRatingEnum, { description: 'Intended audience.' }) contentRating!: ContentRating;
  @Field(() => String, { nullable: true, description: 'URL of a banner of this service.' }) bannerUrl!: string | null;
  @Field(() => Boolean, { description: 'Whether other users may copy the agent and read its instructions.' })
  allowCopies!: boolean;
  @AbsentWhenNull()
  @Field(() => String, {
    nullable: true,
    description: 'System prompt, only for agents that may be copied and for the caller’s own. Never in lists.',
  })
  instructions!: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'ID of the original agent if it is a copy; null when the original was deleted.',
  })
  copiedFrom!: string | null;
  @Field(() => ListingCreator, { description: 'The user who created it.' }) creator!: ListingCreator;
  @Field(() => Int, { description: 'Number of reviews.' }) reviewCount!: number;
  @Field(() => Number, {
    nullable: true,
    description: 'Bayesian average rating, weighted towards 3.5 while there are few ratings; null below three.',
  })
  rating!: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Number of people in the last 28 days, rounded down to one significant digit; null below ten.',
  })
  people!: number | null;
  @AbsentWhenNull()
  @Field(() => Int, {
    nullable: true,
    description: 'Number of views, one per network and day; visible only to the owner.',
  })
  views!: number | null;
  @Field(() => Int, { description: 'Number of messages ever stored in all conversations.' }) messageCount!: number;
  @Field(() => Date, { description: 'Time of the last publication; the creation time if unknown.' })
  publishedAt!: Date;
  @Field(() => Date, { description: 'Time of the last change.' }) updatedAt!: Date;
  @GraphqlOnly()
  @Field(() => Boolean, { description: 'Whether the caller owns the agent.' })
  isMine!: boolean;
}

@ObjectType({ description: 'A page of listings.' })
export class ListingList extends pageOf(
  'listings',
  ListingType,
  'Number of listings in the whole list: without a filter an estimate above 10,000, with a filter at most 10,000.',
) {}

@InputType({ description: 'Changes to a listing. Omitted fields keep their value; null clears a nullable field.' })
@Rules(listingInput)
export class ListingInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Name in URLs: 3 to 64 characters of a to z, 0 to 9 and hyphens. The old one stays valid for 180 days.',
  })
  slug?: string;
  @Field(() => String, {
    nullable: true,
    description: 'Description of the agent in Markdown, at most 4,000 characters, without images from other hosts.',
  })
  about?: string | null;
  @Field(() => [String], {
    nullable: true,
    description: 'At most 4 suggested first messages, each at most 120 characters.',
  })
  starters?: string[];
  @Field(() => [String], { nullable: true, description: 'At most 5 tags of a to z, 0 to 9 and hyphens.' })
  tags?: string[];
  @Field(() => String, { nullable: true, description: 'Language (ISO 639-1).' }) language?: string | null;
  @Field(() => ContentRatingEnum, { nullable: true, description: 'Intended audience.' }) contentRating?: ContentRating;
  @Field(() => String, { nullable: true, description: 'URL of one of the caller’s banners.' }) bannerUrl?:
    | string
    | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether other users may copy the agent and read its instructions.',
  })
  allowCopies?: boolean;
}

/** Returns a converter of listings in a list, with the fields that the caller may see. */
export const toListing =
  ({ actor }: GraphqlContext) =>
  (listing: ListingView): ListingType => {
    const isMine = owns(actor, listing.ownerId);
    return {
      agentId: listing.id,
      slug: listing.slug,
      movedTo: null,
      name: listing.name,
      description: listing.description ?? null,
      avatarUrl: listing.avatarUrl ?? null,
      category: listing.category ?? null,
      model: listing.model,
      greetingMessage: listing.greetingMessage ?? null,
      voiceId: listing.voiceId ?? null,
      status: isMine ? statusOf(listing) : null,
      about: listing.about ?? null,
      starters: listing.starters,
      tags: listing.tags,
      language: listing.language ?? null,
      contentRating: listing.contentRating,
      bannerUrl: listing.bannerUrl ?? null,
      allowCopies: listing.allowCopies,
      instructions: null,
      copiedFrom: listing.copiedFrom ?? null,
      creator: {
        id: listing.ownerId,
        username: listing.creatorUsername,
        displayName: listing.creatorDisplayName,
        avatarUrl: listing.creatorAvatarUrl,
      },
      reviewCount: listing.reviewCount,
      rating: ratingOf(listing),
      people: shownPeople(listing.people),
      views: isMine ? listing.views : null,
      messageCount: listing.messageCount,
      publishedAt: listing.publishedAt,
      updatedAt: listing.updatedAt,
      isMine,
    };
  };

/** Returns a converter of a single listing, including the fields that lists omit. */
export const toListingDetail =
  (ctx: GraphqlContext) =>
  (listing: FoundListing): ListingType =>
    Object.assign(toListing(ctx)(listing), {
      movedTo: listing.movedTo,
      instructions: listing.allowCopies || owns(ctx.actor, listing.ownerId) ? listing.instructions : null,
    });

const statusOf = (listing: ListingView): ListingStatus => {
  if (!listing.isPublic) return 'unlisted';
  if (listing.moderationState !== 'ok') return listing.moderationState;
  return isOpen(listing) ? 'listed' : 'unlisted';
};
