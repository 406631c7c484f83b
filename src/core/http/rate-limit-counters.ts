import type { Sql } from '../database/sql.ts';

/** Counter of one key. Windows are fixed and begin with the first request that they count. */
export interface Counter {
  /** Key of the row. It contains the limit and the window, so different limits have different counters. */
  name: string;
  limit: number;
  windowMs: number;
  /** How long a key is rejected once it exceeds its limit. When 0, until its window ends. */
  lockMs: number;
}

/** State of a counter after points were added. */
export interface CountedPoints {
  points: number;
  /** Milliseconds until the window or the lock ends. */
  msLeft: number;
  /** End of the window or the lock, in Unix milliseconds of the database. */
  endsAt: number;
}

const nowMs = `(extract(epoch from now()) * 1000)::bigint`;

// Only the clock of the database counts, so instances with wrong clocks agree on every window. If that clock is set
// back, a window is shortened to its regular length.
const add = {
  name: 'rate_limit_add',
  text: `
    insert into rate_limits as r (key, points, expire) values ($1, $2::integer,
      ${nowMs} + case when $5::bigint > 0 and $2::integer > $4::integer then $5::bigint else $3::bigint end)
    on conflict (key) do update set
      points = case when r.expire <= ${nowMs} then $2::integer else r.points + $2::integer end,
      expire = case
        when r.expire <= ${nowMs} then excluded.expire
        when $5::bigint > 0 and r.points <= $4::integer and r.points + $2::integer > $4::integer
          then ${nowMs} + $5::bigint
        else least(r.expire, ${nowMs} + greatest($3::bigint, $5::bigint)) end
    returning points, expire - ${nowMs} as "msLeft", expire as "endsAt"`,
};
// Ordered by key to avoid deadlocks, because two instances share many counters. Only for counters without a lock.
const share = {
  name: 'rate_limit_share',
  text: `
    insert into rate_limits as r (key, points, expire)
    select key, points, ${nowMs} + window_ms
    from unnest($1::text[], $2::integer[], $3::bigint[]) as shared (key, points, window_ms) order by key
    on conflict (key) do update set
      points = case when r.expire <= ${nowMs} then excluded.points else r.points + excluded.points end,
      expire = case when r.expire <= ${nowMs} then excluded.expire else least(r.expire, excluded.expire) end
    returning key, points, expire - ${nowMs} as "msLeft", expire as "endsAt"`,
};
const remove = { name: 'rate_limit_remove', text: `delete from rate_limits where key = $1` };

/** Adds points to a counter in PostgreSQL and returns its new state. */
export async function addPoints(
  sql: Sql,
  { name, limit, windowMs, lockMs }: Counter,
  points: number,
): Promise<CountedPoints> {
  const [state] = await sql<CountedPoints>(add, [name, points, windowMs, limit, lockMs]);
  if (!state) throw new Error('a counter was not written');
  return state;
}

/**
 * Adds the points in `leaving` to many counters in one statement. None of them may have a lock. Returns their new
 * states by name.
 */
export async function sharePoints(
  sql: Sql,
  shares: readonly { counter: Counter; leaving: number }[],
): Promise<Map<string, CountedPoints>> {
  const rows = await sql<CountedPoints & { key: string }>(share, [
    shares.map(({ counter }) => counter.name),
    shares.map(({ leaving }) => leaving),
    shares.map(({ counter }) => counter.windowMs),
  ]);
  return new Map(rows.map(({ key, ...state }) => [key, state]));
}

/** Removes a counter, so that the next request begins a new window. */
export const removeCounter = async (sql: Sql, name: string): Promise<void> => void (await sql(remove, [name]));

const maxExhausted = 1_000;

/**
 * Creates an in-memory store of counters that are over their limit, so that rejecting further requests needs no
 * statement.
 */
export function createExhaustedCounters() {
  const ends = new Map<string, { atMs: number; endsAt: number }>();
  const dropEnded = (): void => {
    for (const [name, { atMs }] of ends) if (atMs <= performance.now()) ends.delete(name);
  };
  return {
    add(name: string, { msLeft, endsAt }: CountedPoints): void {
      if (ends.size >= maxExhausted) dropEnded();
      ends.set(name, { atMs: performance.now() + msLeft, endsAt });
    },
    find(name: string): CountedPoints | null {
      const end = ends.get(name);
      const msLeft = (end?.atMs ?? 0) - performance.now();
      return end && msLeft > 0 ? { points: Infinity, msLeft, endsAt: end.endsAt } : null;
    },
    remove: (name: string): void => void ends.delete(name),
  };
}
