import { owns } from '../core/actor.ts';
import { blockSubject, isCallerBlockedBy, isOpenTo } from '../accounts/blocks/blocks.ts';
import type { Agent } from '../agents/agent.entity.ts';
import { canUseAgent } from '../agents/agent.policy.ts';
import { lockOwnAgent } from '../agents/agents.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { notFound } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { keepOwnBanner } from '../images/own-banner.ts';
import { checkLater } from '../moderation/check-content.ts';
import { requireUnrestricted } from '../moderation/restrictions.ts';
import { requireOwnImages } from './about-images.ts';
import { recordView } from './counts/views.ts';
import { Listing } from './listing.entity.ts';
import { type ListingChanges, listingInput } from './listing.input.ts';
import { listingColumns, listingTables, type ListingView } from './listing-view.ts';
import { slugFor, takeSlug } from './slugs.ts';

const byId = {
  name: 'listing_by_id',
  text: `select ${listingColumns} from ${listingTables} where a.id = $1 and a.deleted_at is null`,
};
const bySlug = {
  name: 'listing_by_slug',
  text: `select ${listingColumns} from ${listingTables} where l.slug = $1 and a.deleted_at is null`,
};
const byOldSlug = {
  name: 'listing_by_old_slug',
  text: `select agent_id as "agentId" from listing_slugs where slug = $1 and expires_at > $2`,
};
const byIds = {
  name: 'listings_by_ids',
  text: `select ${listingColumns} from ${listingTables} where a.id = any ($1) and a.deleted_at is null and ${isOpenTo('a.owner_id', '$2')}`,
};

/** A listing, with its current slug when it was requested by an old one. */
export interface FoundListing extends ListingView {
  movedTo: string | null;
}

/**
 * Returns the listing of an agent that the caller may use, by id or slug, and counts a view.
 * @throws AppError `not_found`
 */
export async function getListing(ctx: Ctx, named: string): Promise<FoundListing> {
  const listing = await peekListing(ctx, named);
  if (!owns(ctx.actor, listing.ownerId)) recordView(ctx, listing.id);
  return listing;
}

/**
 * Returns the same as `getListing` without counting a view.
 * @throws AppError `not_found`
 */
export async function peekListing(ctx: Ctx, named: string): Promise<FoundListing> {
  const listing = await findListing(ctx, named);
  if (!listing || !canUseAgent(ctx.actor, listing) || (await isCallerBlockedBy(ctx, listing.ownerId))) throw notFound();
  return listing;
}

/** Finds a listing by id, slug or old slug. Performs no authorization check. */
export async function findListing(ctx: Ctx, named: string): Promise<FoundListing | null> {
  const read = async (statement: typeof byId, value: string) => (await ctx.sql<ListingView>(statement, [value]))[0];
  if (isUuid(named)) return withMove(await read(byId, named));
  if (!/^[a-z0-9-]{3,64}$/.test(named)) return null;
  const current = await read(bySlug, named);
  if (current) return withMove(current);
  const [old] = await ctx.sql<{ agentId: string }>(byOldSlug, [named, ctx.clock.now()]);
  const moved = old && (await read(byId, old.agentId));
  return moved ? { ...moved, movedTo: moved.slug } : null;
}

const withMove = (listing: ListingView | undefined): FoundListing | null =>
  listing ? { ...listing, movedTo: null } : null;

/** Returns the listings of those agents that are visible to the caller, in any order. */
export async function listingsOf(ctx: Ctx, agentIds: readonly string[]): Promise<ListingView[]> {
  const listings = await ctx.sql<ListingView>(byIds, [agentIds, blockSubject(ctx)]);
  return listings.filter((listing) => canUseAgent(ctx.actor, listing));
}

/**
 * Returns the listing of one of the caller's agents.
 * @throws AppError `not_found`
 */
export async function getOwnListing(ctx: Ctx, agentId: string): Promise<FoundListing> {
  const [listing] = isUuid(agentId) ? await ctx.sql<ListingView>(byId, [agentId]) : [];
  if (!listing || !owns(ctx.actor, listing.ownerId)) throw notFound();
  return { ...listing, movedTo: null };
}

const readRow = {
  name: 'listing_row',
  text: `select ${columnsOf(Listing, 'l')} from listings l where l.agent_id = $1`,
};
const store = {
  name: 'listing_store',
  text: `
    insert into listings (agent_id, slug, about, starters, tags, language, content_rating, banner_url, allow_copies, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
    on conflict (agent_id) do update set slug = excluded.slug, about = excluded.about, starters = excluded.starters,
      tags = excluded.tags, language = excluded.language, content_rating = excluded.content_rating, banner_url = excluded.banner_url,
      allow_copies = excluded.allow_copies, updated_at = excluded.updated_at`,
};

/**
 * Changes the given fields of a listing of the caller. For a public agent, the content check runs afterwards.
 * @throws AppError `invalid_request`, `not_found`, `conflict` when the slug is taken, `forbidden` for a restricted
 * account
 */
export async function updateListing(ctx: Ctx, agentId: string, input: unknown): Promise<FoundListing> {
  const changes = parseInput(listingInput, input);
  await inTransaction(ctx, async (tx) => {
    const agent = await lockOwnAgent(tx, agentId);
    // Restricted accounts may still clear texts.
    const givesText = Object.values(changes).some((value) => value !== null);
    if (agent.isPublic && givesText) await requireUnrestricted(tx);
    if (changes.about) requireOwnImages(tx.config, changes.about);
    if (typeof changes.bannerUrl === 'string') await keepOwnBanner(tx, changes.bannerUrl);
    await storeListing(tx, agent, changes);
    if (agent.isPublic) await checkLater(tx, 'agent', agentId);
  });
  return getOwnListing(ctx, agentId);
}

/** Writes the changes to the row, or creates it from the defaults. The caller must hold the agent's lock. */
async function storeListing(tx: Ctx, agent: Pick<Agent, 'id' | 'name'>, changes: ListingChanges): Promise<void> {
  const [before] = await tx.sql<Listing>(readRow, [agent.id]);
  const slug = changes.slug ?? before?.slug ?? (await slugFor(tx, agent));
  if (changes.slug !== undefined) await takeSlug(tx, agent.id, changes.slug, before?.slug ?? null);
  const given = <Value>(change: Value | undefined, kept: Value | undefined, otherwise: Value): Value =>
    change === undefined ? (kept ?? otherwise) : change;
  await tx.sql(store, [
    agent.id,
    slug,
    given(changes.about, before?.about, null),
    given(changes.starters, before?.starters, []),
    given(changes.tags, before?.tags, []),
    given(changes.language, before?.language, null),
    given(changes.contentRating, before?.contentRating, 'everyone'),
    given(changes.bannerUrl, before?.bannerUrl, null),
    given(changes.allowCopies, before?.allowCopies, false),
    tx.clock.now(),
  ]);
}

/** Gives an agent that becomes public a slug, unless it has one. */
export async function addListing(tx: Ctx, agent: { id: string; name: string }): Promise<void> {
  const [before] = await tx.sql<Listing>(readRow, [agent.id]);
  if (!before?.slug) await storeListing(tx, agent, {});
}

const readText = {
  name: 'listing_text',
  text: `
    select l.about, l.starters, l.tags, case when l.allow_copies then a.instructions end as instructions
    from listings l join agents a on a.id = l.agent_id where l.agent_id = $1`,
};

/** Returns the public text of a listing, for moderators and the content check. */
export async function listingText(ctx: Ctx, agentId: string): Promise<string | null> {
  type Text = Pick<Listing, 'about' | 'starters' | 'tags'> & { instructions: string | null };
  const [listing] = await ctx.sql<Text>(readText, [agentId]);
  if (!listing) return null;
  const { about, starters, tags, instructions } = listing;
  return [about, ...starters, ...tags, instructions].filter(Boolean).join('\n');
}

const readCopies = {
  name: 'listing_allows_copies',
  text: `select 1 from listings where agent_id = $1 and allow_copies`,
};

/** Returns whether an agent may be copied, which shows its instructions to others. */
export const allowsCopies = async (ctx: Ctx, agentId: string): Promise<boolean> =>
  (await ctx.sql(readCopies, [agentId])).length > 0;
