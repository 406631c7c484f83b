import type { Ctx } from '../ctx.ts';
import { sha256 } from '../crypto.ts';
import type { SqlValue, Statement } from '../database/sql.ts';

/** Rows whose key is greater than `after` and at most `through`; when `through` is null, all rows after `after`. */
export interface KeyRange {
  after: string[];
  through: string[] | null;
}

/** A table that tasks divide into ranges of its primary key. All values are SQL of the service, never user input. */
export interface RangedTable {
  table: string;
  /** Columns of the primary key, each with a value below all existing ones. */
  key: Readonly<Record<string, SqlValue>>;
  /** SQL condition for the rows. All rows when omitted. */
  where?: string;
}

/**
 * Largest number of ranges that one call returns. It bounds the statement and the transaction that enqueues the ranges.
 */
const rangesAtOnce = 100;

/** Returns a key before the first row, as text. */
export const firstKey = ({ key }: RangedTable): string[] =>
  Object.values(key).map((value) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value)));

/**
 * Splits the rows after `after` into at most a hundred ranges of `size` rows. `rest` is the key after which more rows
 * follow, or null at the end. Reads only the index of the primary key.
 */
export async function listRanges(
  ctx: Ctx,
  table: RangedTable,
  { after, size }: { after: readonly string[]; size: number },
): Promise<{ ranges: KeyRange[]; rest: string[] | null }> {
  const rows = await ctx.sql<{ key: string[] }>(selectEnds(table), [size, rangesAtOnce, ...after]);
  const borders = [[...after], ...rows.map(({ key }) => key)];
  const ranges = borders.map((border, index) => ({ after: border, through: borders[index + 1] ?? null }));
  if (rows.length < rangesAtOnce) return { ranges, rest: null };
  return { ranges: ranges.slice(0, -1), rest: borders.at(-1) ?? null };
}

// Selects the last key of each range. Each step continues in the index where the previous one ended.
function selectEnds({ table, key, where = 'true' }: RangedTable): Statement {
  const names = Object.keys(key);
  const columns = names.map((name) => `t.${name}`).join(', ');
  const next = (from: readonly string[]) => `
    select ${columns} from ${table} t where (${columns}) > (${from.join(', ')}) and ${where}
    order by ${columns} offset $1::bigint - 1 limit 1`;
  const text = `
    with recursive ends as (
      select first.*, 1 as number from (${next(names.map((_, index) => `$${index + 3}`))}) first
      union all
      select later.*, ends.number + 1 from ends, lateral (${next(names.map((name) => `ends.${name}`))}) later
      where ends.number < $2
    )
    select array[${names.map((name) => `${name}::text`).join(', ')}] as key from ends order by number`;
  return { name: `key_ranges_${sha256(text).toString('hex').slice(0, 20)}`, text };
}
