import { type Agent } from '../agents/agent.entity.ts';
import { agentColumns, isListed } from '../agents/agents.ts';
import type { Listing } from './listing.entity.ts';

/** An agent with its listing, its counts and its creator. */
export interface ListingView
  extends
    Omit<Agent, 'publishedAt' | 'deletedAt'>,
    Pick<
      Listing,
      'about' | 'starters' | 'tags' | 'language' | 'contentRating' | 'bannerUrl' | 'allowCopies' | 'copiedFrom'
    > {
  /** Slug of the listing, or the agent's id while it has none. */
  slug: string;
  publishedAt: Date;
  /** Stored message count, without messages that are not aggregated yet. Popularity is ordered by it. */
  storedCount: number;
  people: number | null;
  views: number;
  reviewCount: number;
  ratings: number;
  ratingSum: number;
  creatorUsername: string;
  creatorDisplayName: string | null;
  creatorAvatarUrl: string | null;
}

/** Select list of a listing, for `listingTables`. */
export const listingColumns = `${agentColumns}, a.message_count as "storedCount",
  coalesce(l.slug, a.id) as slug, l.about, coalesce(l.starters, '{}') as starters, coalesce(l.tags, '{}') as tags, l.language,
  coalesce(l.content_rating, 'everyone') as "contentRating", l.banner_url as "bannerUrl", coalesce(l.allow_copies, false) as "allowCopies",
  (select o.id from agents o where o.id = l.copied_from and o.deleted_at is null) as "copiedFrom",
  coalesce(a.published_at, a.created_at) as "publishedAt", greatest(a.updated_at, l.updated_at) as "updatedAt",
  s.people, coalesce(s.views, 0) as views, coalesce(s.reviews, 0) as "reviewCount", coalesce(s.ratings, 0) as ratings,
  coalesce(s.rating_sum, 0) as "ratingSum",
  u.username as "creatorUsername", u.display_name as "creatorDisplayName", u.avatar_url as "creatorAvatarUrl"`;

// Left joins on keys: PostgreSQL skips a joined table if the statement reads none of its columns.
export const listingTables = `agents a left join listings l on l.agent_id = a.id
  left join listing_stats s on s.agent_id = a.id left join users u on u.id = a.owner_id`;

/** SQL condition: the agent is in the marketplace. */
export const isInMarketplace = isListed;

/** SQL condition: the agent is in the marketplace and not for adults only. */
export const isForEveryone = `${isListed} and (exists (
  select from listings x where x.agent_id = a.id and x.content_rating = 'mature')) is not true`;

const minRatings = 3;
/** Weight of the overall mean in a rating, as a number of ratings, so that a few ratings have little effect. */
const priorRatings = 5;
const priorMean = 3.5;

/** Returns the displayed rating; null for fewer than three ratings. */
export const ratingOf = ({ ratings, ratingSum }: Pick<ListingView, 'ratings' | 'ratingSum'>): number | null =>
  ratings < minRatings ? null : Math.round(shrunk(ratings, ratingSum) * 100) / 100;

const shrunk = (ratings: number, sum: number): number => (sum + priorRatings * priorMean) / (ratings + priorRatings);

/** Returns the SQL expression that orders by rating. */
export const ratingScore = (ratings: string, sum: string): string =>
  `case when ${ratings} < ${minRatings} then 0 else (${sum} + ${priorRatings * priorMean}) / (${ratings} + ${priorRatings})::double precision end`;

const minPeople = 10;

/** Returns the displayed number of people, rounded down to one significant digit; null under ten. */
export function shownPeople(people: number | null): number | null {
  if (people === null || people < minPeople) return null;
  const digit = 10 ** (String(people).length - 1);
  return Math.floor(people / digit) * digit;
}
