import type { Ctx } from '../core/ctx.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type OrderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import type { Agent } from './agent.entity.ts';
import { exploreAgentsInput, type ExploreSort } from './agent.input.ts';
import { agentColumns } from './agents.ts';

const orders: Record<ExploreSort, OrderedList<RankedAgent>['key']> = {
  popular: { column: 'a.message_count', kind: 'integer', of: (agent) => agent.messageCount },
  trending: { column: 'a.trending_score', kind: 'float', of: (agent) => agent.trendingScore },
  recent: { column: 'a.created_at', kind: 'time', of: (agent) => agent.createdAt },
};

type RankedAgent = Agent & { trendingScore: number };

const searchText = `lower(a.name || ' ' || coalesce(a.description, ''))`;

// An index of public agents alone knows how many they are, as of when PostgreSQL last looked through the table.
const countAll = {
  name: 'explore_count_all',
  text: `
    select case when counted <= 10000 then counted else greatest(counted, estimated) end as total
    from (select count(*) as counted from (select from agents a where a.is_public limit 10001) a) c
    cross join (select reltuples::bigint as estimated from pg_class where oid = 'agents_popular_idx'::regclass) e`,
};

/** Public agents. The total of all of them is exact up to 10,000 and an estimate beyond. `q` is free text: each of its words must be found in the name or the description, `%` and `_` mean themselves. @throws AppError `invalid_request` */
export async function exploreAgents(ctx: Ctx, input: unknown): Promise<Page<Agent>> {
  const { sort, category, q, ...page } = parseInput(exploreAgentsInput, input);
  const words = q ? q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 20) : [];
  const conditions = ['a.is_public'];
  const values: string[] = [];
  if (category) conditions.push(`a.category = $${values.push(category)}`);
  for (const word of words)
    conditions.push(`${searchText} like $${values.push(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`);
  const where = conditions.join(' and ');
  const shape = `${category ? 'category' : 'all'}_${words.length}`;
  const list = orderedList<RankedAgent>({
    name: `explore_${sort}_${shape}`,
    columns: `${agentColumns}, a.trending_score as "trendingScore"`,
    from: `agents a where ${where}`,
    valueCount: values.length,
    key: orders[sort],
    id: { column: 'a.id', of: ({ id }) => id },
  });
  const count = { name: `explore_count_${shape}`, text: `select count(*) as total from agents a where ${where}` };
  return withTotal(ctx, readSlice(ctx, list, values, page), page, values.length > 0 ? count : countAll, values);
}
