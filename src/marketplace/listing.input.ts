import { z } from 'zod';
import { agentCategories } from '../agents/agent.input.ts';
import { characters, name, text, trimmedText } from '../core/text/text-input.ts';
import { orDefault, pageInput } from '../core/pagination.ts';
import { isLanguageCode } from '../voice/languages.ts';

export const contentRatings = ['everyone', 'mature'] as const;
export type ContentRating = (typeof contentRatings)[number];

export const marketplaceSorts = ['popular', 'trending', 'recent', 'rating', 'relevance'] as const;
export type MarketplaceSort = (typeof marketplaceSorts)[number];

const formed = (isValid: (value: string) => boolean, message: string) =>
  z.string().superRefine((value, ctx) => {
    if (!isValid(value)) ctx.addIssue({ code: 'custom', message, params: { code: 'invalid_format' } });
  });

const tag = formed((value) => /^[a-z0-9-]{2,24}$/.test(value), 'must have 2 to 24 characters of a to z, 0 to 9 and -');
const language = formed(isLanguageCode, 'must be an ISO 639-1 language code of two lower-case letters, such as en');
const distinct = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

/** Only the given fields change. `null` clears a nullable field. */
export const listingInput = z
  .object({
    slug: z.string(),
    about: text({ max: 4_000 }).nullable(),
    starters: z.array(name({ max: 120 })).max(4),
    tags: z.array(tag).max(5).transform(distinct),
    language: language.nullable(),
    contentRating: z.enum(contentRatings),
    bannerUrl: z.string().max(2_048).nullable(),
    allowCopies: z.boolean(),
  })
  .partial();

export type ListingChanges = z.output<typeof listingInput>;

export const marketplaceInput = pageInput().extend({
  q: characters({ max: 200 }).nullish(),
  category: z.enum(agentCategories).nullish(),
  tag: tag.nullish(),
  language: language.nullish(),
  creator: characters({ min: 1, max: 100 }).nullish(),
  sort: z.enum(marketplaceSorts).nullish(),
  mature: orDefault(z.boolean(), false),
});

export const reviewInput = z.object({
  rating: z.int().min(1).max(5),
  text: trimmedText({ max: 1_000 }).nullish(),
});

export const replyInput = z.object({ text: trimmedText({ min: 1, max: 1_000 }).nullable() });

export const reviewsInput = pageInput();
