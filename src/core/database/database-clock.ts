import type { Clock } from '../clock.ts';
import type { Ctx } from '../ctx.ts';
import type { Sql } from './sql.ts';
import { inTransaction, onCommitted } from './transaction.ts';

/** The clock of all instances, as one process sees it. */
export interface DatabaseClock extends Clock {
  /** Compares with the database now. */
  sync(): Promise<void>;
  /** Compares with what another statement read, which was sent at `askedMs` of `performance.now()`. */
  note(reading: ClockReading, askedMs: number): void;
}

/** The columns `clockColumns`. */
export interface ClockReading {
  databaseMs: number;
  offsetMs: number;
}

/** The kind under which `ctx.ports.tasks` notifies other processes that business time was moved. */
export const clockKind = 'clock';

/** For a statement that runs regularly, so that the comparison needs no extra statement. */
export const clockColumns = `
  extract(epoch from clock_timestamp())::float8 * 1000 as "databaseMs",
  coalesce((select offset_seconds from business_clock), 0) * 1000 as "offsetMs"`;
const read = { name: 'clock_read', text: `select ${clockColumns}` };

/**
 * Starts a clock that shows the database's time plus the shared offset of business time. Between two comparisons it runs
 * on the process's monotonic clock, so neither a wrong wall clock nor one that jumps changes it.
 */
export async function startDatabaseClock(sql: Sql): Promise<DatabaseClock> {
  /** From `performance.now()` to the time of the database. */
  let aheadMs: number | null = null;
  let offsetMs = 0;

  function note(reading: ClockReading, askedMs: number): void {
    // The database read its clock between the question and the answer, so the true difference lies between these two. It
    // changes only when it is outside of them: a slow answer says little and moves nothing.
    const least = reading.databaseMs - performance.now();
    const most = reading.databaseMs - askedMs;
    aheadMs = aheadMs === null ? (least + most) / 2 : Math.min(Math.max(aheadMs, least), most);
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
// Retries keep their delays: only what has not been tried yet waits for business time.
const hastenTasks = {
  name: 'clock_hasten_tasks',
  text: `
    update tasks set run_at = greatest(run_at - $1::float8 * interval '1 second', now())
    where state = 'pending' and attempts = 0 and run_at > now()`,
};

/** Moves business time forward on every instance, for good, and makes scheduled tasks due that much sooner. */
export async function moveBusinessTime(ctx: Ctx, seconds: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.sql(move, [seconds]);
    await tx.sql(hastenTasks, [seconds]);
    onCommitted(tx, () => tx.ports.tasks.wake(clockKind));
  });
}
