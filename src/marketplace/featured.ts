import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { findListing, type FoundListing } from './listing.ts';
import { isOpen } from '../agents/agent.policy.ts';

const feature = {
  name: 'listing_feature',
  text: `insert into featured_listings (agent_id, created_at) values ($1, $2) on conflict (agent_id) do nothing`,
};
const stopFeaturing = { name: 'listing_stop_featuring', text: `delete from featured_listings where agent_id = $1` };

/**
 * Features a public agent at the top of the marketplace. For moderators only.
 * @throws AppError `not_found`
 */
export async function featureAgent(ctx: Ctx, agentId: string): Promise<FoundListing> {
  const listing = isUuid(agentId) ? await findListing(ctx, agentId) : null;
  if (!listing || !isOpen(listing)) throw notFound();
  await ctx.sql(feature, [agentId, ctx.clock.now()]);
  return listing;
}

const findFeatured = {
  name: 'listings_featured_among',
  text: `select agent_id as id from featured_listings where agent_id = any ($1)`,
};

/** Returns the ids of those of the agents that moderators feature. */
export async function featuredAmong(ctx: Ctx, agentIds: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.sql<{ id: string }>(findFeatured, [agentIds]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Stops featuring an agent. For moderators only.
 * @throws AppError `not_found` for an id that cannot be an agent's
 */
export async function stopFeaturingAgent(ctx: Ctx, agentId: string): Promise<{ id: string; deleted: true }> {
  if (!isUuid(agentId)) throw notFound();
  await ctx.sql(stopFeaturing, [agentId]);
  return { id: agentId, deleted: true };
}
