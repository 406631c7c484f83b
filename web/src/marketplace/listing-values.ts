import type { AgentListingQuery, ContentRating, ListingInput } from '../api/generated/operations.ts';

/** The listing of an own agent. */
export type OwnListing = AgentListingQuery['agentListing'];

/** The fields of the editor as text, as the form and its stored draft hold them. */
export interface ListingValues {
  slug: string;
  about: string;
  starters: string;
  tags: string;
  language: string;
  contentRating: ContentRating;
  allowCopies: boolean;
}

/** Returns the slug; empty while the agent has none, because the service then returns its ID as the slug. */
export const slugOf = ({ slug, agentId }: Pick<OwnListing, 'slug' | 'agentId'>): string =>
  slug === agentId ? '' : slug;

export const valuesOf = (listing: OwnListing): ListingValues => ({
  slug: slugOf(listing),
  about: listing.about ?? '',
  starters: listing.starters.join('\n'),
  tags: listing.tags.join(' '),
  language: listing.language ?? '',
  contentRating: listing.contentRating,
  allowCopies: listing.allowCopies,
});

const partsOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Converts changed values to input. An empty field clears its value, except the slug, which then stays. */
export const changedInput = (values: ListingValues, changes: Partial<ListingValues>): ListingInput =>
  Object.fromEntries(
    Object.entries(inputOf(values)).filter(([name]) => name in changes && !(name === 'slug' && values.slug === '')),
  );

const inputOf = (values: ListingValues): ListingInput => ({
  slug: values.slug,
  about: values.about.trim() === '' ? null : values.about,
  starters: partsOf(values.starters, /\n/),
  tags: partsOf(values.tags, /[\s,#]+/).map((tag) => tag.toLowerCase()),
  language: values.language || null,
  contentRating: values.contentRating,
  allowCopies: values.allowCopies,
});
