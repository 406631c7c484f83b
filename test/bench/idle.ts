import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Bench, BenchProcess, BenchRow, Figure } from './row.ts';

/** Until what a start leaves behind is over: first tasks, garbage, connections that are closed after a minute. */
const settleMs = 75_000;

/** What a service costs without a single request, and its part of PostgreSQL. */
export const rows: BenchRow[] = [{ name: 'P30', title: 'an idle service', measure }];

async function measure(bench: Bench): Promise<Figure[]> {
  const databaseUrl = await bench.createDatabase();
  const service = await bench.startService({ databaseUrl });
  const observer = new pg.Client({ connectionString: databaseUrl, application_name: 'bench observer' });
  await observer.connect();
  bench.defer(() => observer.end());
  await sleep(bench.isQuick ? settleMs / 4 : settleMs);
  const before = await look(service, observer);
  await sleep(bench.isReference ? 120_000 : bench.isQuick ? 10_000 : 60_000);
  const after = await look(service, observer);
  const seconds = (after.atMs - before.atMs) / 1_000;
  const perSecond = (of: 'serviceMs' | 'transactions') => (after[of] - before[of]) / seconds;
  const postgresMs = [...after.sessionMs].reduce((sum, [id, ms]) => sum + ms - (before.sessionMs.get(id) ?? 0), 0);
  return [
    { what: 'CPU of the service a second', value: perSecond('serviceMs'), unit: 'ms', goal: { atMost: 3 } },
    { what: 'CPU of PostgreSQL a second', value: postgresMs / seconds, unit: 'ms', goal: { atMost: 2 } },
    { what: 'statements', value: perSecond('transactions'), unit: '/s' },
  ];
}

interface Look {
  atMs: number;
  serviceMs: number;
  /** Of each session of the service. */
  sessionMs: Map<number, number>;
  /** Nearly every statement of an idle service is one. */
  transactions: number;
}

async function look({ pid }: BenchProcess, observer: pg.Client): Promise<Look> {
  const sessions = await observer.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const counted = await observer.query<{ count: string }>(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  );
  const sessionMs = new Map<number, number>();
  for (const session of sessions.rows) sessionMs.set(session.pid, await cpuMsOf(session.pid));
  return {
    atMs: performance.now(),
    serviceMs: await cpuMsOf(pid),
    sessionMs,
    transactions: Number(counted.rows[0]?.count),
  };
}

/** Of all threads, in nanoseconds as the scheduler counts: the ticks of /proc/PID/stat are too coarse for an idle process. */
async function cpuMsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').catch(() => '0')),
  );
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
}
