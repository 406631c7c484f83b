import { blockSubject, isUnblocked } from '../accounts/blocks/blocks.ts';
import { isNamed, typedUsername } from '../accounts/usernames.ts';
import type { Ctx } from '../core/ctx.ts';
import type { SqlValue, Statement } from '../core/database/sql.ts';
import { invalidField } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type OrderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { type MarketplaceSort, marketplaceInput } from './listing.input.ts';
import { isForEveryone, isInMarketplace, listingColumns, listingTables, type ListingView } from './listing-view.ts';
import { showsMature } from './marketplace.ports.ts';
import { matching, relevance } from './search.ts';
import { onReplica } from '../core/database/replica.ts';

/** A listing with its relevance, which orders search results. */
type Ranked = ListingView & { relevance: number };

const orders: Record<MarketplaceSort, OrderedList<Ranked>['key']> = {
  popular: { column: 'a.message_count', kind: 'integer', of: (listing) => listing.storedCount },
  trending: { column: 'a.trending_score', kind: 'float', of: (listing) => listing.trendingScore },
  recent: { column: 'coalesce(a.published_at, a.created_at)', kind: 'time', of: (listing) => listing.publishedAt },
  rating: { column: 'a.rating_score', kind: 'float', of: (listing) => listing.ratingScore },
  relevance: { column: 'a.relevance', kind: 'float', of: (listing) => listing.relevance },
};

// The size of the popularity index gives the number of public agents as of the last vacuum.
const countAll: Statement = {
  name: 'marketplace_count_all',
  text: `
    select case when counted <= 10000 then counted else greatest(counted, estimated) end as total
    from (select count(*) as counted from (select from agents a where ${isForEveryone} limit 10001) c) c
    cross join (select reltuples::bigint as estimated from pg_class where oid = 'agents_popular_idx'::regclass) e`,
};
const maxCounted = 10_000;

/**
 * Lists the agents in the marketplace. `q` searches names, descriptions, tags and listing texts. Agents for adults are
 * included only if `mature` is set and the caller's account has chosen to see them. The total is computed as in
 * explore.
 * @throws AppError `invalid_request`
 */
export const listMarketplace = onReplica(async (ctx: Ctx, input: unknown): Promise<Page<ListingView>> => {
  const { q, category, tag, language, creator, sort: wanted, mature, ...page } = parseInput(marketplaceInput, input);
  const sort = wanted ?? (q ? 'relevance' : 'trending');
  if (sort === 'relevance' && !q) throw invalidField('sort', 'conflicting', 'sort by relevance needs a search text q');
  const values: SqlValue[] = [blockSubject(ctx)];
  const shown = mature && (await showsMature(ctx)) ? isInMarketplace : isForEveryone;
  const conditions = [shown, isUnblocked('a.owner_id', '$1')];
  if (category) conditions.push(`a.category = $${values.push(category)}`);
  if (language)
    conditions.push(
      `exists (select from listings f where f.agent_id = a.id and f.language = $${values.push(language)})`,
    );
  if (tag)
    conditions.push(
      `exists (select from listings f where f.agent_id = a.id and f.tags @> array[$${values.push(tag)}::text])`,
    );
  if (creator) {
    const named = typedUsername(creator);
    const given = `$${values.push(named)}`;
    const isCreator = isId('usr_', named) ? `c.id = ${given}` : isNamed('c', given);
    conditions.push(`a.owner_id = (select c.id from users c where ${isCreator})`);
  }
  const found = q ? matching(q, values) : null;
  const where = [...conditions, ...(found ? [found.condition] : [])].join(' and ');
  const whereFew = [...conditions, ...(found ? [`a.id in (${found.ids})`] : [])].join(' and ');
  // Statements are cached by name, so the name includes which conditions are present.
  const shape = [
    mature && shown === isInMarketplace ? 'mature' : '',
    category && 'category',
    language && 'language',
    tag && 'tag',
    creator && (isId('usr_', creator) ? 'creator' : 'username'),
    found?.shape,
  ].filter(Boolean);
  const isFiltered = Boolean(language || tag || creator || found);
  const name = `marketplace_${sort}_${shape.join('_')}`;
  const listOf = (variant: string, agents: string) =>
    orderedList<Ranked>({
      name: `${name}${variant}`,
      cursor: name,
      columns: listingColumns + (sort === 'relevance' ? ', a.relevance' : ''),
      from: `${listingTables.replace('agents a', agents)} where ${variant ? 'true' : where}`,
      valueCount: values.length,
      key: orders[sort],
      isPlannedOnce: shape.length === 0,
      id: { column: 'a.id', of: ({ id }) => id },
    });
  const count: Statement =
    shape.length === 0
      ? countAll
      : {
          name: `marketplace_count_${shape.join('_')}`,
          text: `select count(*) as total from (select from agents a where ${whereFew} limit ${maxCounted}) a`,
        };
  if (!isFiltered) {
    const counted = count === countAll ? [] : values;
    return withTotal(ctx, readSlice(ctx, listOf('', 'agents a'), values, page), page, count, counted);
  }
  // When few agents match, all of them are read and sorted. In list order the planner would scan every agent.
  const [counted] = await ctx.sql<{ total: number }>(count, values);
  const total = counted?.total ?? 0;
  const score = sort === 'relevance' && found ? `, ${relevance(found)} as relevance` : '';
  const few = `(select a.*${score} from agents a ${score ? 'left join listings l on l.agent_id = a.id left join listing_stats s on s.agent_id = a.id' : ''}
    where ${whereFew} limit ${maxCounted}) a`;
  const list = total < maxCounted || score !== '' ? listOf('_few', few) : listOf('', 'agents a');
  const slice = await readSlice(ctx, list, values, page);
  return { ...slice, total: page.counted ? total : null, limit: page.limit, offset: page.offset };
});
