import type { Clock } from '../clock.ts';
import type { Ctx } from '../ctx.ts';
import type { Sql } from './sql.ts';
import { inTransaction, onCommitted } from './transaction.ts';

/** A clock that agrees across all instances. */
export interface DatabaseClock extends Clock {
  /** Synchronizes with the clock of the database. */
  sync(): Promise<void>;
  /**
   * Synchronizes with a reading of another statement, which was sent at `askedMs` on the scale of `performance.now()`.
   */
  note(reading: ClockReading, askedMs: number): void;
}

/** A row of the columns in `clockColumns`. */
export interface ClockReading {
  databaseMs: number;
  offsetMs: number;
}

/** Kind of the wake-up that notifies other processes that business time was moved. */
export const clockKind = 'clock';

/** Columns that read the clock, for a statement that runs regularly anyway. */
export const clockColumns = `
  extract(epoch from clock_timestamp())::float8 * 1000 as "databaseMs",
  coalesce((select offset_seconds from business_clock), 0) * 1000 as "offsetMs"`;
const read = { name: 'clock_read', text: `select ${clockColumns}` };

/**
 * Starts a clock that returns the time of the database plus the shared offset of business time. Between
 * synchronizations it runs on the monotonic clock of the process, so a wrong or adjusted wall clock has no effect.
 */
export async function startDatabaseClock(sql: Sql): Promise<DatabaseClock> {
  /** Difference between the time of the database and `performance.now()`. Null before the first synchronization. */
  let aheadMs: number | null = null;
  let offsetMs = 0;

  function note(reading: ClockReading, askedMs: number): void {
    // The database read its clock between sending and receiving, so the true difference lies between these two. The
    // estimate changes only when it is outside that range, so a slow round trip with a wide range does not move it.
    const lowMs = reading.databaseMs - performance.now();
    const highMs = reading.databaseMs - askedMs;
    aheadMs = aheadMs === null ? (lowMs + highMs) / 2 : Math.min(Math.max(aheadMs, lowMs), highMs);
    offsetMs = reading.offsetMs;
  }

  async function sync(): Promise<void> {
    const askedMs = performance.now();
    const [reading] = await sql<ClockReading>(read);
    if (reading) note(reading, askedMs);
  }

  await sync();
  const realMs = (): number => performance.now() + (aheadMs ?? 0);
  return {
    now: () => new Date(realMs() + offsetMs),
    realNow: () => new Date(realMs()),
    sync,
    note,
  };
}

const move = {
  name: 'clock_move',
  text: `
    insert into business_clock as c (offset_seconds) values ($1)
    on conflict (id) do update set offset_seconds = c.offset_seconds + excluded.offset_seconds`,
};
// Retries keep their delays: only tasks that have not been attempted yet depend on business time.
const advanceTasks = {
  name: 'clock_hasten_tasks',
  text: `
    update tasks set run_at = greatest(run_at - $1::float8 * interval '1 second', now())
    where state = 'pending' and attempts = 0 and run_at > now()`,
};

/** Moves business time forward on every instance, permanently, and makes scheduled tasks due that much sooner. */
export async function moveBusinessTime(ctx: Ctx, seconds: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.sql(move, [seconds]);
    await tx.sql(advanceTasks, [seconds]);
    onCommitted(tx, () => tx.ports.tasks.wake(clockKind));
  });
}
