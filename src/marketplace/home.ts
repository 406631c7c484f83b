import { blockSubject, isUnblocked } from '../accounts/blocks/blocks.ts';
import { type AgentCategory, agentCategories } from '../agents/agent.input.ts';
import type { Ctx } from '../core/ctx.ts';
import { isForEveryone, listingColumns, listingTables, type ListingView } from './listing-view.ts';
import { listMarketplace } from './marketplace.ts';

const sectionSize = 12;

const featured = {
  name: 'marketplace_featured',
  text: `
    select ${listingColumns} from featured_listings p join ${listingTables.replace('agents a', 'agents a on a.id = p.agent_id')}
    where ${isForEveryone} and ${isUnblocked('a.owner_id', '$1')} order by p.created_at desc, p.agent_id desc limit ${sectionSize}`,
};

export interface MarketplaceHome {
  featured: ListingView[];
  trending: ListingView[];
  recent: ListingView[];
  categories: { category: AgentCategory; data: ListingView[] }[];
}

/** Returns the start page of the marketplace: sections of twelve listings. Categories without an agent are left out. */
export async function getMarketplaceHome(ctx: Ctx): Promise<MarketplaceHome> {
  const section = async (filter: object): Promise<ListingView[]> =>
    (await listMarketplace(ctx, { ...filter, limit: sectionSize, counted: false })).data;
  const [first, trending, recent, ...categories] = await Promise.all([
    ctx.sql<ListingView>(featured, [blockSubject(ctx)]),
    section({ sort: 'trending' }),
    section({ sort: 'recent' }),
    ...agentCategories.map((category) => section({ sort: 'popular', category })),
  ]);
  return {
    featured: first,
    trending,
    recent,
    categories: agentCategories
      .map((category, i) => ({ category, data: categories[i] ?? [] }))
      .filter(({ data }) => data.length > 0),
  };
}
