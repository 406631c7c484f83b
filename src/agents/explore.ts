import { blockSubject, isUnblocked } from '../accounts/blocks/blocks.ts';
import type { Ctx } from '../core/ctx.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type OrderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import type { Agent } from './agent.entity.ts';
import { exploreAgentsInput, type ExploreSort } from './agent.input.ts';
import { agentColumns, isListed } from './agents.ts';
import { agentSearchText, escapeLike, isShort, wordsIn } from './agent-search.ts';
import { onReplica } from '../core/database/replica.ts';

/**
 * An agent with the sort key of the popular list: the stored counter, without the activity that is not aggregated yet.
 */
type RankedAgent = Agent & { storedCount: number };

const orders: Record<ExploreSort, OrderedList<RankedAgent>['key']> = {
  popular: { column: 'a.message_count', kind: 'integer', of: (agent) => agent.storedCount },
  trending: { column: 'a.trending_score', kind: 'float', of: (agent) => agent.trendingScore },
  recent: { column: 'a.created_at', kind: 'time', of: (agent) => agent.createdAt },
};
const rankedColumns = `${agentColumns}, a.message_count as "storedCount"`;

/**
 * Returns the same condition in a form for which the planner has neither an index nor an estimate, so that it scans
 * agents in list order.
 */
const inOrder = (parameter: string): string => `(${agentSearchText} || '') like (select ${parameter}::text)`;

// The index contains only public agents, so its statistics give their number as of the last vacuum.
const countAll = {
  name: 'explore_count_all',
  text: `
    select case when counted <= 10000 then counted else greatest(counted, estimated) end as total
    from (select count(*) as counted from (select from agents a where ${isListed} limit 10001) a) c
    cross join (select reltuples::bigint as estimated from pg_class where oid = 'agents_popular_idx'::regclass) e`,
};

const maxCounted = 10_000;
/** Number of matches up to which reading and sorting all of them is faster than scanning in list order. */
const few = 2_000;
/** Number of agents that a search without an index examines: the first ones in list order. */
const maxUnindexed = 5_000;

/**
 * Lists public agents, without those of users whom the caller blocks or who block the caller. `q` is free text: the
 * name or the description must contain each of its words, in any case and with or without accents; a word of one or two
 * characters must be at the start of a word, unless its script has no spaces. `%` and `_` have no special meaning. Words for which no index helps are searched only among the first 5,000
 * agents in list order. The total of all public agents is exact up to 10,000 and an estimate beyond; the total of a
 * filtered list is counted up to 10,000.
 * @throws AppError `invalid_request`
 */
export const exploreAgents = onReplica(async (ctx: Ctx, input: unknown): Promise<Page<Agent>> => {
  const { sort, category, q, ...page } = parseInput(exploreAgentsInput, input);
  const values: (string | null)[] = [blockSubject(ctx)];
  const conditions = [
    isListed,
    isUnblocked('a.owner_id', '$1'),
    ...(category ? [`a.category = $${values.push(category)}`] : []),
  ];
  const shown = conditions.join(' and ');
  const words = q ? wordsIn(q) : [];
  const [short, long] = [words.filter((word) => isShort(word)), words.filter((word) => !isShort(word))];
  // The trigram index finds words of three characters, and shorter ones only at the start of a word.
  const patterns = [
    ...short.map(escapeLike).map((word) => [`${word}%`, `% ${word}%`]),
    ...long.map(escapeLike).map((word) => [`%${word}%`]),
  ];
  const parameters = patterns.map((either) => either.map((pattern) => `$${values.push(pattern)}`));
  const matching = (condition: (parameter: string) => string): string =>
    [...conditions, ...parameters.map((either) => `(${either.map((one) => condition(one)).join(' or ')})`)].join(
      ' and ',
    );
  const where = matching((parameter) => `${agentSearchText} like ${parameter}`);
  const shape = `${category ? 'category' : 'all'}_${short.length}_${long.length}`;
  const read = (variant: string, from: string) =>
    readSlice(ctx, listOf(sort, shape, variant, from, values.length), values, page);
  const countOf = (variant: string, from: string) => ({
    name: `explore_count_${shape}${variant}`,
    text: `select count(*) as total from (select from ${from} limit ${maxCounted}) a`,
  });
  if (words.length === 0) {
    const slice = read('', `agents a where ${where}`);
    return category
      ? withTotal(ctx, slice, page, countOf('', `agents a where ${where}`), values)
      : withTotal(ctx, slice, page, countAll, []);
  }
  if (short.length === 0 && !long.some((word) => isIndexed(word))) {
    const first = `select * from agents a where ${shown} order by ${orders[sort].column} desc, a.id desc limit ${maxUnindexed}`;
    const from = `(${first}) a where ${where}`;
    return withTotal(ctx, read(`_first_${sort}`, from), page, countOf(`_first_${sort}`, from), values);
  }
  // The planner cannot know how many agents match. It would scan all agents for rare words, or sort half of them for
  // frequent ones.
  const [counted] = await ctx.sql<{ total: number }>(countOf('', `agents a where ${where}`), values);
  const total = counted?.total ?? 0;
  const isDeep = Boolean(page.after) || (page.offset + page.limit) * 20 > total;
  const slice =
    total < (isDeep ? maxCounted : few)
      ? read('_few', `(select * from agents a where ${where} offset 0) a where true`)
      : read('_many', `agents a where ${matching(inOrder)}`);
  return { ...(await slice), total: page.counted ? total : null, limit: page.limit, offset: page.offset };
});

/**
 * Creates the list for a sort order. `variant` distinguishes different statements for the same list, which share their
 * cursors.
 */
const listOf = (sort: ExploreSort, shape: string, variant: string, from: string, valueCount: number) =>
  orderedList<RankedAgent>({
    name: `explore_${sort}_${shape}${variant}`,
    cursor: `explore_${sort}_${shape}`,
    columns: rankedColumns,
    from,
    valueCount,
    key: orders[sort],
    id: { column: 'a.id', of: ({ id }) => id },
  });

/**
 * Returns whether the trigram index covers a part of the word: three letters, the start of a word, or the end of one.
 */
const isIndexed = (word: string): boolean =>
  /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(word);
