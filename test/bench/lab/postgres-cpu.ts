import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Returns the CPU time of all threads of a process in milliseconds. /proc/PID/stat is too coarse for an idle process. */
export async function cpuMsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').catch(() => '0')),
  );
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
}

/** Cumulative work of PostgreSQL for a database. */
interface PostgresUse {
  /** CPU time of each session, without that of the observer, in milliseconds. */
  sessionMs: ReadonlyMap<number, number>;
  transactions: number;
}

/** Reads it through the observer's connection to the database. */
export async function readPostgresUse(observer: pg.ClientBase): Promise<PostgresUse> {
  const sessions = await observer.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const counted = await observer.query<{ count: string }>(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  );
  const sessionMs = new Map<number, number>();
  for (const { pid } of sessions.rows) sessionMs.set(pid, await cpuMsOf(pid));
  return { sessionMs, transactions: Number(counted.rows[0]?.count) };
}

/** CPU time in milliseconds that the sessions used between two reads. */
export const cpuBetween = (before: PostgresUse, after: PostgresUse): number =>
  [...after.sessionMs].reduce((sum, [pid, ms]) => sum + ms - (before.sessionMs.get(pid) ?? 0), 0);
