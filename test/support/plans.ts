import type pg from 'pg';

/** A node of a plan, as `explain (format json)` returns it. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Alias?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  'TID Cond'?: string;
  Filter?: string;
  'Join Filter'?: string;
  Plans?: PlanNode[];
}

/** Values of parameters, by type. Those of numbers are in `valueOf`. */
const values: Readonly<Record<string, string>> = {
  text: 'x',
  boolean: 'true',
  json: '{}',
  jsonb: '{}',
  date: '2026-01-01',
  'timestamp with time zone': '2026-01-01',
  'timestamp without time zone': '2026-01-01',
  interval: '1 day',
  tsquery: 'x',
  bytea: '',
};
const valueOf = (type: string): string => `'${type.endsWith('[]') ? '{}' : (values[type] ?? '1')}'::${type}`;

/**
 * Makes plans depend neither on the values of parameters nor on how few rows a test has: each table is read by an index,
 * if there is one for the condition, and the cost of a plan is the number of rows that it reads.
 */
export const planByIndex = `
  set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off; set enable_mergejoin = off; set enable_hashjoin = off;
  set seq_page_cost = 0; set random_page_cost = 0; set cpu_tuple_cost = 1; set cpu_index_tuple_cost = 1`;

/** Inserts conversations of many accounts, so that a plan that starts with all of them is not the cheapest. */
export const fillAccounts = `
  insert into users (id, email, username, password_hash, deletion_requested_at, created_at, updated_at)
  select 'usr_' || n, n || '@example.com', 'u' || n, '', case n % 2 when 0 then now() end, now(), now()
  from generate_series(1, 200) n;
  insert into agents (id, owner_id, name, instructions, model, is_public, created_at, updated_at)
  select 'agent_' || n, 'usr_' || n, 'a', 'b', 'default', n % 2 = 0, now(), now() from generate_series(1, 100) n;
  insert into conversations (id, user_id, agent_id, created_at, updated_at)
  select 'conv_' || n, 'usr_' || n % 200 + 1, 'agent_' || n % 100 + 1, now(), now() from generate_series(1, 1000) n;
  insert into messages (id, conversation_id, user_id, position, role, content, parent_id, created_at)
  select 'msg_' || c.id || '_' || p, c.id, c.user_id, p, case p % 2 when 1 then 'user' else 'assistant' end, 'x',
    case when p > 1 then 'msg_' || c.id || '_' || p - 1 end, now()
  from conversations c, generate_series(1, 10) p;
  insert into generations (id, conversation_id, user_id, user_message_id, assistant_message_id, state, instance_id, created_at)
  select 'gen_' || id, conversation_id, user_id, id, 'reply_' || id, case position when 9 then 'running' else 'complete' end,
    'instance_' || position, now()
  from messages where role = 'user';
  analyze users, agents, conversations, messages, generations`;

/** Returns the plan of a statement without the partitions that its parameters exclude. It is not executed. */
export async function planOf(client: pg.ClientBase, text: string): Promise<PlanNode> {
  await client.query(`prepare explained as ${text}`);
  try {
    const { rows: prepared } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'explained'`,
    );
    const parameters = (prepared[0]?.types ?? []).map(valueOf).join(', ');
    const execute = `execute explained${parameters === '' ? '' : ` (${parameters})`}`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${execute}`);
    const [plan] = rows;
    if (!plan) throw new Error('the statement has no plan');
    return plan['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('deallocate explained');
  }
}

/**
 * Returns the tables that a plan reads from end to end, without a condition on an index or a limit, each with the index.
 * `isLarge` selects the tables that must not be read so.
 */
export function wholeReads(node: PlanNode, isLarge: (table: string) => boolean, isLimited = false): string[] {
  const { 'Node Type': type, 'Relation Name': table, Plans = [] } = node;
  const isWhole = type === 'Seq Scan' || (type.startsWith('Index') && !node['Index Cond'] && !isLimited);
  const found = table !== undefined && isWhole && isLarge(table) ? [`${table} by ${node['Index Name'] ?? type}`] : [];
  const isInner = type === 'Limit' || (isLimited && passesLimit.has(type));
  return [...found, ...Plans.flatMap((inner) => wholeReads(inner, isLarge, isInner))];
}

/** Nodes that read no more rows than they return. */
const passesLimit = new Set(['LockRows', 'Append', 'Merge Append', 'Subquery Scan', 'Incremental Sort']);

/** How a plan finds rows of several partitions of a table. */
interface SpreadRead {
  /** Whether an index finds the rows and the account is only checked, as `ofAccountUnindexed` does it. */
  isLookup: boolean;
}

/**
 * Returns the reads of more than one partition of `tables`, which are partitioned by `user_id`. A read that gets the
 * account from another part of the plan reads one when it runs.
 */
export function spreadReads(plan: PlanNode, tables: readonly string[], joinFilter = ''): SpreadRead[] {
  const isPartition = new RegExp(`^(?:${tables.join('|')})_p\\d+$`);
  const scansOf = (node: PlanNode): PlanNode[] => [
    ...(isPartition.test(node['Relation Name'] ?? '') ? [node] : []),
    ...(node.Plans ?? []).filter((inner) => !isAppend(inner)).flatMap(scansOf),
  ];
  // The partitions of one read have the same alias, with a number.
  const scans = isAppend(plan) ? scansOf(plan) : [];
  const reads = Map.groupBy(scans, ({ Alias = '' }) => Alias.replace(/_\d+$/, ''));
  const spread = [...reads.values()].filter((read) => read.length > 1 && !read.every(isOfOneAccount));
  return [
    ...spread.map((read) => ({ isLookup: read.every((scan) => isLookup(scan, joinFilter)) })),
    ...(plan.Plans ?? []).flatMap((inner) => spreadReads(inner, tables, plan['Join Filter'])),
  ];
}

const isAppend = ({ 'Node Type': type }: PlanNode): boolean => type === 'Append' || type === 'Merge Append';

/** The conditions of a scan, with the columns of its own table unqualified. */
const conditionsOf = ({ Alias = '', ...node }: PlanNode): string =>
  [node['Index Cond'], node['Recheck Cond'], node['TID Cond'], node.Filter]
    .join(' ')
    .replaceAll(new RegExp(`\\b${Alias}\\.`, 'g'), '');

/** A condition on the account that does not select a partition. */
const checked = /\((?:[^()]|\([^()]*\))*\buser_id\b(?:[^()]|\([^()]*\))*\) IS TRUE/g;

const isOfOneAccount = (node: PlanNode): boolean =>
  /(?<![.\w])user_id = (?!ANY)|= user_id\b/.test(conditionsOf(node).replaceAll(checked, ''));

const isLookup = (node: PlanNode, joinFilter: string): boolean =>
  (node['Index Cond'] ?? node['Recheck Cond']) !== undefined &&
  `${conditionsOf(node)} ${joinFilter}`.search(checked) >= 0;

/** Returns the tables that a plan reads, in alphabetical order. The partitions of a table count as the table. */
export const tablesRead = (plan: PlanNode): string[] => {
  const read = nodesOf(plan).filter(({ 'Node Type': type }) => type.includes('Scan'));
  const tables = read.flatMap((node) => node['Relation Name']?.replace(/_(?:\d{8}|p\d+|default)$/, '') ?? []);
  return [...new Set(tables)].toSorted();
};

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
