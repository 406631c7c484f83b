import { z } from 'zod';
import { type Cursor, cursorOf, type KeyKind, readCursor } from './cursor.ts';
import type { Ctx } from './ctx.ts';
import { invalidField } from './errors.ts';
import type { SqlValue, Statement } from './database/sql.ts';

const defaultLimit = 20;
const maxLimit = 100;

/**
 * Creates the schema of list arguments: `limit` (1 to `max`, default 20) from `offset` (from 0) or after the cursor
 * `after`. Values out of range are errors and are never clamped. `counted: false` skips counting the items.
 */
export const pageInput = (max = maxLimit) =>
  z.object({
    limit: orDefault(z.int().min(1).max(max), Math.min(defaultLimit, max)),
    offset: orDefault(z.int().min(0).max(2_147_483_647), 0),
    after: z.string().nullish(),
    counted: orDefault(z.boolean(), true),
  });

/** Makes an argument of a list optional: when it is missing or `null`, `value` applies. */
export const orDefault = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema.nullish().transform((given) => given ?? value);

export interface PageRequest {
  limit: number;
  offset: number;
  after?: string | null | undefined;
}

/** Items of a list in its order, and where the next page begins. */
export interface Slice<Item> {
  data: Item[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** One page of a list and the number of items in the whole list, which is null if it was not requested. */
export interface Page<Item> extends Slice<Item> {
  total: number | null;
  limit: number;
  offset: number;
}

/**
 * A list in one order: by `key`, descending unless `ascends`, then by descending `id`. An index must have the same
 * order.
 */
interface ListOrder<Item> {
  /** Prefix for the names of the statements. */
  name: string;
  /** Tag stored in cursors, so that a cursor of another order is rejected. Defaults to the name. */
  cursor?: string;
  columns: string;
  /** SQL from the table to the end of the conditions. It uses the first `valueCount` parameters. */
  from: string;
  valueCount: number;
  key: { column: string; kind: KeyKind; of: (item: Item) => Cursor['key']; ascends?: boolean };
  /**
   * Whether the index suits all values of the parameters. If so, the statement is planned once instead of for each
   * page.
   */
  isPlannedOnce?: boolean;
  /** Tiebreaker for items with the same key. Omit it when the key is unique. */
  id?: { column: string; of: (item: Item) => string };
}

/**
 * Statements that read the first page, a page by offset, or the page after a cursor. The cost of a cursor page does not
 * grow with its depth.
 */
export interface OrderedList<Item> extends ListOrder<Item> {
  first: Statement;
  byOffset: Statement;
  byCursor: Statement;
}

/** Creates the statements of a list. Call it once at module level. */
export function orderedList<Item>(list: ListOrder<Item>): OrderedList<Item> {
  const { name, columns, from, valueCount, key, id, isPlannedOnce } = list;
  const [limit, second, third] = [`$${valueCount + 1}`, `$${valueCount + 2}`, `$${valueCount + 3}`];
  const given = key.column.startsWith('lower(') ? `lower(${second})` : second;
  const select = `select ${columns} from ${from}`;
  const order = `order by ${key.column} ${key.ascends ? 'asc' : 'desc'}${id ? `, ${id.column} desc` : ''}`;
  const position = id ? `${key.column}, ${id.column}` : key.column;
  // Skipped rows are counted in the index where an index-only scan is possible; their other columns are neither read
  // nor computed.
  const reached = `(${position}) <= (select ${position} from ${from} ${order} offset ${second} limit 1)`;
  // With an unknown limit PostgreSQL expects a tenth of the table, and then considers a plan for each value cheaper.
  const page = (ordered: string): string =>
    isPlannedOnce
      ? `select * from (${ordered} limit ${maxLimit + 1}) page limit ${limit}`
      : `${ordered} limit ${limit}`;
  return {
    ...list,
    first: { name, text: page(`${select} ${order}`) },
    byOffset: {
      name: `${name}_offset`,
      text: key.ascends
        ? `${select} ${order} limit ${limit} offset ${second}`
        : page(`${select} and ${reached} ${order}`),
    },
    byCursor: { name: `${name}_after`, text: page(`${select} and ${behind(list, given, third)} ${order}`) },
  };
}

const behind = <Item>({ key, id }: ListOrder<Item>, keyGiven: string, idGiven: string): string => {
  if (!id) return `${key.column} ${key.ascends ? '>' : '<'} ${keyGiven}`;
  if (!key.ascends) return `(${key.column}, ${id.column}) < (${keyGiven}, ${idGiven})`;
  // The first condition bounds the index scan.
  return `${key.column} >= ${keyGiven} and (${key.column} > ${keyGiven} or ${id.column} < ${idGiven})`;
};

/**
 * Reads one page of a list.
 * @throws AppError `invalid_request` when `after` is not a cursor of this list or is combined with an offset
 */
export async function readSlice<Item extends object>(
  ctx: Ctx,
  list: OrderedList<Item>,
  values: readonly SqlValue[],
  { limit, offset, after }: PageRequest,
): Promise<Slice<Item>> {
  if (after && offset > 0) throw invalidField('after', 'conflicting', 'after must not be given together with offset');
  const cursor = after ? readCursor(list.cursor ?? list.name, list.key.kind, after) : null;
  // One additional row shows whether there is a next page.
  const rows = await readRows(ctx, list, [...values, limit + 1], { offset, cursor });
  const hasNextPage = rows.length > limit;
  if (hasNextPage) rows.pop();
  const last = rows.at(-1);
  const endCursor = last
    ? cursorOf(list.cursor ?? list.name, { key: list.key.of(last), id: list.id?.of(last) ?? '' })
    : null;
  return { data: rows, pageInfo: { hasNextPage, endCursor } };
}

function readRows<Item extends object>(
  ctx: Ctx,
  list: OrderedList<Item>,
  values: readonly SqlValue[],
  { offset, cursor }: { offset: number; cursor: Cursor | null },
): Promise<Item[]> {
  if (cursor) return ctx.sql<Item>(list.byCursor, [...values, cursor.key, ...(list.id ? [cursor.id] : [])]);
  if (offset > 0) return ctx.sql<Item>(list.byOffset, [...values, offset]);
  return ctx.sql<Item>(list.first, values);
}

/** Returns a page together with the total number of items, if requested. */
export async function withTotal<Item>(
  ctx: Ctx,
  slice: Promise<Slice<Item>>,
  { limit, offset, counted }: PageRequest & { counted: boolean },
  count: Statement,
  values: readonly SqlValue[],
): Promise<Page<Item>> {
  const counting = async () => (counted ? ctx.sql<{ total: number }>(count, values) : null);
  const [page, rows] = await Promise.all([slice, counting()]);
  return { ...page, total: rows === null ? null : (rows[0]?.total ?? 0), limit, offset };
}
