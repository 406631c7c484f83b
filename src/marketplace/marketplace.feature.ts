import type { Feature } from '../core/feature.ts';
import { ListingRecount } from './counts/listing-recount.entity.ts';
import { ListingNote } from './counts/listing-note.entity.ts';
import { ListingStats } from './counts/listing-stats.entity.ts';
import { ListingView } from './counts/listing-view.entity.ts';
import { aggregateListingNotes } from './counts/notes.ts';
import { countListingPeople } from './counts/people.ts';
import { recountReviews } from './counts/recount.ts';
import { viewExpiry } from './counts/views.ts';
import { FeaturedListing } from './featured-listing.entity.ts';
import { Listing } from './listing.entity.ts';
import { listingBanners } from './listing-banners.ts';
import { addListing, allowsCopies, listingText } from './listing.ts';
import { ListingSlug } from './listing-slug.entity.ts';
import { marketplaceExport } from './marketplace.export.ts';
import { marketplaceGauges } from './marketplace.gauges.ts';
import { oldSlugExpiry, purgeReviews, removeAgentListing } from './marketplace.purge.ts';
import { countWaitingRatings } from './reviews/count-ratings.ts';
import { Review } from './reviews/review.entity.ts';
import { reviewEvents } from './reviews/review.events.ts';
import { reportableReview } from './reviews/review.moderation.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    rev_: 'review';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'social:read': true;
    'social:write': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'marketplace.aggregate': object;
    'marketplace.count-ratings': object;
    'marketplace.count-people': object;
    'marketplace.recount': object;
  }
}

const dayMs = 86_400_000;

export const marketplace: Feature = {
  name: 'marketplace',
  entities: [Listing, ListingSlug, FeaturedListing, ListingStats, ListingNote, ListingRecount, ListingView, Review],
  idPrefixes: { review: 'rev_' },
  scopes: ['social:read', 'social:write'],
  events: reviewEvents,
  jobs: [
    {
      // Keeps the counts of listings within a few seconds of reviews and views.
      kind: 'marketplace.aggregate',
      everyMs: 5_000,
      when: 'exists (select from listing_notes)',
      concurrency: 1,
      handle: async (ctx, _payload, { signal }) => void (await aggregateListingNotes(ctx, signal)),
    },
    {
      kind: 'marketplace.count-ratings',
      everyMs: 600_000,
      concurrency: 1,
      handle: async (ctx, _payload, { signal }) => void (await countWaitingRatings(ctx, signal)),
    },
    {
      kind: 'marketplace.count-people',
      everyMs: dayMs,
      concurrency: 1,
      handle: (ctx, _payload, { signal }) => countListingPeople(ctx, signal),
    },
    {
      kind: 'marketplace.recount',
      everyMs: dayMs,
      concurrency: 1,
      handle: async (ctx, _payload, run) => void (await recountReviews(ctx, run)),
    },
  ],
  reportable: [reportableReview],
  bannerTargets: [listingBanners],
  onAgentPublished: [addListing],
  agentTexts: [listingText],
  showsInstructions: [allowsCopies],
  removeOfAgent: [removeAgentListing],
  expiries: [viewExpiry, oldSlugExpiry],
  purge: [purgeReviews],
  exportSections: marketplaceExport,
  gauges: [marketplaceGauges],
};
