import type pg from 'pg';
import { nextDue } from './due.ts';
import type { CustomerState } from './state.ts';

/** Stores the customers and the offset of the clock. */
export interface Store {
  find(id: string): Promise<CustomerState | null>;
  /**
   * Changes one customer under a lock. `fn` receives null for an unknown customer and may create it. Stores nothing if
   * `fn` throws.
   */
  update<T>(id: string, fn: (state: CustomerState | null) => { state: CustomerState; result: T }): Promise<T>;
  /** Returns the customer with the earliest scheduled change, and its time. */
  findFirstDue(): Promise<{ id: string; at: number } | null>;
  /** Returns the customers with undelivered events. */
  listUnsent(): Promise<string[]>;
  getOffsetSeconds(): Promise<number>;
  setOffsetSeconds(seconds: number): Promise<void>;
}

export function createMemoryStore(): Store {
  const customers = new Map<string, string>();
  let offsetSeconds = 0;
  const read = (id: string): CustomerState | null => {
    const text = customers.get(id);
    return text === undefined ? null : (JSON.parse(text) as CustomerState);
  };
  return {
    find: async (id) => read(id),
    update: async (id, fn) => {
      const { state, result } = fn(read(id));
      customers.set(id, JSON.stringify(state));
      return result;
    },
    findFirstDue: async () => {
      const due = [...customers.keys()].flatMap((id) => {
        const state = read(id);
        return state && nextDue(state) < Infinity ? [{ id, at: nextDue(state) }] : [];
      });
      return due.toSorted((a, b) => a.at - b.at)[0] ?? null;
    },
    listUnsent: async () => [...customers.keys()].filter((id) => (read(id)?.unsent.length ?? 0) > 0),
    getOffsetSeconds: async () => offsetSeconds,
    setOffsetSeconds: async (seconds) => void (offsetSeconds = seconds),
  };
}

const clockRow = 'clock';

/**
 * Creates a store in the service's own database, so that payments survive a restart and are shared by a second instance
 * and by a restored backup.
 */
export function createPostgresStore(pool: pg.Pool): Store {
  return {
    find: async (id) => {
      const { rows } = await pool.query<{ state: CustomerState }>(
        'select state from simulated_customers where id = $1',
        [id],
      );
      return rows[0]?.state ?? null;
    },
    update: (id, fn) => updateRow(pool, id, fn),
    findFirstDue: async () => {
      const { rows } = await pool.query<{ id: string; at: string }>(
        'select id, due as at from simulated_customers where due is not null order by due, id limit 1',
      );
      return rows[0] ? { id: rows[0].id, at: Number(rows[0].at) } : null;
    },
    listUnsent: async () => {
      const { rows } = await pool.query<{ id: string }>('select id from simulated_customers where unsent');
      return rows.map((row) => row.id);
    },
    getOffsetSeconds: async () => {
      const { rows } = await pool.query<{ state: { offsetSeconds: number } }>(
        'select state from simulated_customers where id = $1',
        [clockRow],
      );
      return rows[0]?.state.offsetSeconds ?? 0;
    },
    setOffsetSeconds: async (offsetSeconds) => {
      await pool.query(
        'insert into simulated_customers (id, state) values ($1, $2) on conflict (id) do update set state = $2',
        [clockRow, { offsetSeconds }],
      );
    },
  };
}

async function updateRow<T>(
  pool: pg.Pool,
  id: string,
  fn: (state: CustomerState | null) => { state: CustomerState; result: T },
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 727002))', [id]);
    const { rows } = await client.query<{ state: CustomerState }>(
      'select state from simulated_customers where id = $1',
      [id],
    );
    const { state, result } = fn(rows[0]?.state ?? null);
    const due = nextDue(state);
    await client.query(
      `insert into simulated_customers (id, state, due, unsent) values ($1, $2, $3, $4)
       on conflict (id) do update set state = $2, due = $3, unsent = $4`,
      [id, state, due === Infinity ? null : due, state.unsent.length > 0],
    );
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: unknown) => (broken = failure as Error));
    throw error;
  } finally {
    client.release(broken);
  }
}
