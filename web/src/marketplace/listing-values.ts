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

/** Language codes of ISO 639-1. */
const codes =
  'ab aa af ak sq am ar an hy as av ae ay az bm ba eu be bn bi bs br bg my ca ch ce ny zh cu cv kw co cr hr cs da dv nl dz ' +
  'en eo et ee fo fj fi fr fy ff gd gl lg ka de el kl gn gu ht ha he hz hi ho hu is io ig id ia ie iu ik ga it ja jv kn kr ' +
  'ks kk km ki rw ky kv kg ko kj ku lo la lv li ln lt lu lb mk mg ms ml mt gv mi mr mh mn na nv nd nr ng ne no nb nn ii oc ' +
  'oj or om os pi ps fa pl pt pa qu ro rm rn ru se sm sg sa sc sr sn sd si sk sl so st es su sw ss sv tl ty tg ta tt te th ' +
  'bo ti to ts tn tr tk tw ug uk ur uz ve vi vo wa cy wo xh yi yo za zu';

/** Returns codes and names of all languages, sorted by their name in the reader's language. */
export function languages(): (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(undefined, { type: 'language' });
  return codes
    .split(' ')
    .map((code) => [code, names.of(code) ?? code] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other));
}
