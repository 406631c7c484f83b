import type { Sql } from '../database/sql.ts';

/** One counted key: fixed windows that begin with the first request counted in them. */
export interface Counter {
  /** Names the row: the same limit counted with other numbers is another counter. */
  name: string;
  limit: number;
  windowMs: number;
  /** How long a key that exceeds its limit stays refused; 0: until its window ends. */
  lockMs: number;
}

/** A counter after some points were added to it. */
export interface CountedPoints {
  points: number;
  /** Until the window or the lock ends. */
  msLeft: number;
  /** When it ends, as Unix time of the database in milliseconds. */
  endsAt: number;
}

const nowMs = `(extract(epoch from now()) * 1000)::bigint`;

// The database's clock decides alone: instances with wrong clocks agree on every window. A clock that was set back makes
// no window longer than it is.
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
// In the order of the keys, as two instances share many of them. Counters without a lock.
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

/** Adds the points that leave to many counters without a lock, in one statement. Returns their new states by name. */
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

/** Counters that are over their limit, remembered until they end: refusing again costs no statement. */
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
