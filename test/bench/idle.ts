import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuBetween, cpuMsOf, readPostgresUse } from './lab/postgres-cpu.ts';
import { sizeFor } from './lab/sizes.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

/** Time until startup effects are over: first tasks, garbage, connections that are closed after a minute of idling. */
const settleMs = 75_000;

/** Cost of a service without any requests, including its share of PostgreSQL. */
export const rows: BenchRow[] = [{ name: 'P30', title: 'an idle service', measure }];

async function measure(bench: Bench): Promise<Figure[]> {
  const databaseUrl = await bench.createDatabase();
  const service = await bench.startService({ databaseUrl });
  const observer = new pg.Client({ connectionString: databaseUrl, application_name: 'bench observer' });
  await observer.connect();
  bench.defer(() => observer.end());
  const look = async () => ({
    atMs: performance.now(),
    serviceMs: await cpuMsOf(service.pid),
    postgres: await readPostgresUse(observer),
  });
  await sleep(bench.isQuick ? settleMs / 4 : settleMs);
  const before = await look();
  await sleep(sizeFor(bench, { quick: 10_000, usual: 60_000, reference: 120_000 }));
  const after = await look();
  const perSecond = (amount: number) => amount / ((after.atMs - before.atMs) / 1_000);
  const postgresMs = perSecond(cpuBetween(before.postgres, after.postgres));
  // Nearly every statement of an idle service is a transaction.
  const statements = perSecond(after.postgres.transactions - before.postgres.transactions);
  return [
    {
      what: 'CPU of the service a second',
      value: perSecond(after.serviceMs - before.serviceMs),
      unit: 'ms',
      goal: { atMost: 3 },
    },
    { what: 'CPU of PostgreSQL a second', value: postgresMs, unit: 'ms', goal: { atMost: 2 } },
    { what: 'statements', value: statements, unit: '/s' },
  ];
}
