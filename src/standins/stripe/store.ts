import type pg from 'pg';
import { nextDue } from './due.ts';
import type { CustomerState } from './state.ts';

/** Where the stand-in keeps its customers and how far its clock was moved. */
export interface Store {
  find(id: string): Promise<CustomerState | null>;
  /** Changes one customer while nobody else does; `fn` may be called with null to make it. Nothing is kept when it throws. */
  update<T>(id: string, fn: (state: CustomerState | null) => { state: CustomerState; result: T }): Promise<T>;
  /** The customer for whom time changes something next, and when. */
  findFirstDue(): Promise<{ id: string; at: number } | null>;
  /** Customers with events that nobody has taken. */
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
 * In the service's own database, so that a restart, a second instance and a restored backup all agree on who has paid.
 * The table is the stand-in's own affair: it is made at the first start with a stand-in and not at all in production.
 */
export async function createPostgresStore(pool: pg.Pool): Promise<Store> {
  await createTable(pool);
  return {
    find: async (id) => {
      const { rows } = await pool.query<{ state: CustomerState }>('select state from standin_processor where id = $1', [
        id,
      ]);
      return rows[0]?.state ?? null;
    },
    update: (id, fn) => updateRow(pool, id, fn),
    findFirstDue: async () => {
      const { rows } = await pool.query<{ id: string; at: string }>(
        'select id, due as at from standin_processor where due is not null order by due, id limit 1',
      );
      return rows[0] ? { id: rows[0].id, at: Number(rows[0].at) } : null;
    },
    listUnsent: async () => {
      const { rows } = await pool.query<{ id: string }>('select id from standin_processor where unsent');
      return rows.map((row) => row.id);
    },
    getOffsetSeconds: async () => {
      const { rows } = await pool.query<{ state: { offsetSeconds: number } }>(
        'select state from standin_processor where id = $1',
        [clockRow],
      );
      return rows[0]?.state.offsetSeconds ?? 0;
    },
    setOffsetSeconds: async (offsetSeconds) => {
      await pool.query(
        'insert into standin_processor (id, state) values ($1, $2) on conflict (id) do update set state = $2',
        [clockRow, { offsetSeconds }],
      );
    },
  };
}

async function createTable(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    // "if not exists" alone is not safe between two instances that start together.
    await client.query('begin; select pg_advisory_xact_lock(727002)');
    await client.query(`
      create table if not exists standin_processor (
        id text collate "C" primary key, state jsonb not null, due bigint, unsent boolean not null default false);
      create index if not exists standin_processor_due_idx on standin_processor (due) where due is not null;
      create index if not exists standin_processor_unsent_idx on standin_processor (id) where unsent`);
    await client.query('commit');
  } finally {
    client.release();
  }
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
    const { rows } = await client.query<{ state: CustomerState }>('select state from standin_processor where id = $1', [
      id,
    ]);
    const { state, result } = fn(rows[0]?.state ?? null);
    const due = nextDue(state);
    await client.query(
      `insert into standin_processor (id, state, due, unsent) values ($1, $2, $3, $4)
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
