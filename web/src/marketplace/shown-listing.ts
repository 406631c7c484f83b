import type { ListingQuery } from '../api/generated/operations.ts';

/** A listing as its page shows it. */
export type ShownListing = ListingQuery['listing'];
