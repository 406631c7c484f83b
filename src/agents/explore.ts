import type { Ctx } from '../core/ctx.ts';
import { parseInput } from '../core/input.ts';
import type { Page } from '../core/pagination.ts';
import type { Agent } from './agent.entity.ts';
import { exploreAgentsInput, type ExploreSort } from './agent.input.ts';
import { agentColumns } from './agents.ts';

const orders: Record<ExploreSort, string> = {
  popular: 'a.message_count desc, a.id desc',
  trending: 'a.trending_score desc, a.id desc',
  recent: 'a.created_at desc, a.id desc',
};

const searchText = `lower(a.name || ' ' || coalesce(a.description, ''))`;

/** Public agents. `q` is free text: each of its words must be found in the name or the description, `%` and `_` mean themselves. @throws AppError `invalid_request` */
export async function exploreAgents(ctx: Ctx, input: unknown): Promise<Page<Agent>> {
  const { limit, offset, sort, category, q } = parseInput(exploreAgentsInput, input);
  const words = q ? q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 20) : [];
  const conditions = ['a.is_public'];
  const values: string[] = [];
  if (category) conditions.push(`a.category = $${values.push(category)}`);
  for (const word of words)
    conditions.push(`${searchText} like $${values.push(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`);
  const where = conditions.join(' and ');
  const shape = `${category ? 'category' : 'all'}_${words.length}`;
  const [data, counted] = await Promise.all([
    ctx.sql<Agent>(
      {
        name: `explore_${sort}_${shape}`,
        text: `select ${agentColumns} from agents a where ${where} order by ${orders[sort]} limit $${values.length + 1} offset $${values.length + 2}`,
      },
      [...values, limit, offset],
    ),
    ctx.sql<{ total: number }>(
      { name: `explore_count_${shape}`, text: `select count(*) as total from agents a where ${where}` },
      values,
    ),
  ]);
  return { data, total: counted[0]?.total ?? 0, limit, offset };
}
