import type { BannerTarget } from '../images/banner-targets.ts';
import { updateListing } from './listing.ts';

const read = { name: 'listing_banner_url', text: `select banner_url as "url" from listings where agent_id = $1` };
const find = {
  name: 'listings_that_show',
  text: `
    select a.id, a.name from listings l join agents a on a.id = l.agent_id
    where l.banner_url = $2 and a.owner_id = $1 and a.deleted_at is null order by a.id limit 100`,
};

/** Banners on listings, which show those of their agents. */
export const listingBanners: BannerTarget = {
  of: 'agent',
  async read(tx, agentId) {
    return (await tx.sql<{ url: string | null }>(read, [agentId]))[0]?.url ?? null;
  },
  async show(tx, agentId, bannerUrl) {
    await updateListing(tx, agentId, { bannerUrl });
  },
  find: (tx, userId, url) => tx.sql<{ id: string; name: string }>(find, [userId, url]),
};
