import { Agent } from '../../src/agents/agent.entity.ts';
import { findApiKeyActor } from '../../src/api-keys/api-keys.ts';
import { hashPassword } from '../../src/accounts/credentials/passwords.ts';
import { reserveMessage } from '../../src/conversations/messages/quota.ts';
import { createRateLimits } from '../../src/core/http/rate-limits.ts';
import type { Statement } from '../../src/core/database/sql.ts';
import { inTransaction } from '../../src/core/database/transaction.ts';
import { compare, cpuPerOperation, rate } from './lab/compare.ts';
import { cpuMicrosOf, openInProcess, timesOf } from './lab/in-process.ts';
import { type BenchRequest, closedLoop } from './lab/load.ts';
import { seed } from './lab/seed.ts';
import { median } from './lab/statistics.ts';
import type { Bench, BenchProcess, BenchRow } from './row.ts';

/** The checks before an operation: authentication, authorization, rate limits. And the cost of an entity. */
export const rows: BenchRow[] = [
  {
    name: 'P15',
    title: 'an agent by its id, in the process',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [id = ''] = await seeded.addAgents(100);
      const { database, ctxOf } = await openInProcess(bench, seeded.databaseUrl);
      const text = 'select * from agents where id = $1';
      const statement: Statement = { name: 'bench_agent', text };
      const ctx = ctxOf(seeded.userId);
      const micros = await cpuMicrosOf(
        {
          pg: () => database.pool.query({ name: 'bench_agent_pg', text, values: [id] }),
          sql: () => ctx.sql(statement, [id]),
          orm: () => ctxOf(seeded.userId).em.findOneOrFail(Agent, id),
        },
        bench.isQuick ? 400 : 1_500,
      );
      return [
        { what: 'ctx.sql, CPU of pg', value: micros.sql / micros.pg, unit: '×', goal: { atMost: 1.4 } },
        { what: 'an entity, CPU of pg', value: micros.orm / micros.pg, unit: '×', goal: { atMost: 8 } },
        { what: 'pg', value: micros.pg, unit: 'µs' },
      ];
    },
  },
  {
    name: 'P16',
    title: 'login',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const [id] = await seeded.addAgents(1);
      const password = 'correct horse battery';
      await seeded.db.query('update users set password_hash = $1', [await hashPassword(password)]);
      const service = await bench.startService({ databaseUrl: seeded.databaseUrl });
      const floors = [
        await bench.startFloor('hash-loop.ts', { PASSWORD: password }),
        await bench.startFloor('hash-loop.ts', { PASSWORD: password }),
      ] as const;
      const request: BenchRequest = {
        path: '/v1/auth/login',
        method: 'POST',
        body: { email: 'bench@example.com', password },
      };
      const loop = (name: string, process: BenchProcess) =>
        closedLoop(name, process, request, (text) => text.includes('access_token'), 2);
      const comparison = await compare(bench, {
        subject: loop('service', service),
        baseline: loop('argon2', floors[0]),
        control: loop('argon2 again', floors[1]),
      });
      for (const floor of floors) await floor.stop();
      const beside = await besideLogins(bench, service, request, { path: `/v1/agents/${id}`, headers: seeded.headers });
      return [
        comparison.ratio('logins of bare argon2', rate, { atLeast: 0.9 }),
        comparison.ratio('CPU of bare argon2', cpuPerOperation),
        { what: 'p99 of another route with 20 logins a second', value: beside, unit: '×', goal: { atMost: 1.5 } },
      ];
    },
  },
  {
    name: 'P17',
    title: 'checking an API key',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const { ctxOf } = await openInProcess(bench, seeded.databaseUrl);
      const ctx = ctxOf(seeded.userId);
      const wrong = `${seeded.apiKey.slice(0, -1)}${seeded.apiKey.endsWith('a') ? 'b' : 'a'}`;
      const micros = await cpuMicrosOf(
        { known: () => findApiKeyActor(ctx, seeded.apiKey, null), wrong: () => findApiKeyActor(ctx, wrong, null) },
        bench.isQuick ? 400 : 2_000,
      );
      return [
        { what: 'CPU, its statement included', value: micros.known, unit: 'µs', goal: { atMost: 60 } },
        { what: 'CPU of one whose checksum is wrong', value: micros.wrong, unit: 'µs', goal: { atMost: 5 } },
      ];
    },
  },
  {
    name: 'P18',
    title: 'rate limit and quota',
    measure: async (bench) => {
      const seeded = await seed(bench);
      const { database, ctxOf } = await openInProcess(bench, seeded.databaseUrl);
      const limits = createRateLimits(database.pool);
      const ctx = ctxOf(seeded.userId);
      const one: Statement = { name: 'bench_one', text: 'select 1 as one' };
      const store: Statement = { name: 'bench_store', text: 'update users set bio = bio where id = $1' };
      const count = bench.isQuick ? 200 : 1_500;
      const limit = await timesOf(count, () => limits.consume('bench', 1e9, 60));
      const tally = await timesOf(count, () => limits.tally('bench account', 1e9, 60));
      const statement = await timesOf(count, () => ctx.sql(one));
      // The message is stored in either case, so the commit reaches the disk with or without the charge.
      const bare = await timesOf(count, () => inTransaction(ctx, (tx) => tx.sql(store, [seeded.userId])));
      const charged = await timesOf(count, () =>
        inTransaction(ctx, (tx) =>
          Promise.all([reserveMessage(tx, seeded.userId, 'creator', new Date()), tx.sql(store, [seeded.userId])]),
        ),
      );
      return [
        { what: 'counting a request, p50', value: limit.p50Ms, unit: 'ms', goal: { atMost: 0.5 } },
        { what: 'counting it against its account too, p50', value: tally.p50Ms, unit: 'ms', goal: { atMost: 0.05 } },
        { what: 'that, relative to a round trip to PostgreSQL', value: limit.p50Ms / statement.p50Ms, unit: '×' },
        {
          what: 'charging a message, p50 added',
          value: charged.p50Ms - bare.p50Ms,
          unit: 'ms',
          goal: { atMost: 0.5 },
        },
      ];
    },
  },
];

const loginsASecond = 20;

/** Ratio of the p99 of a route during logins to that without them. */
async function besideLogins(
  bench: Bench,
  service: BenchProcess,
  login: BenchRequest,
  request: BenchRequest,
): Promise<number> {
  const probe = closedLoop('probe', service, request, (text) => text.includes('instructions'), 2);
  const logIn = () =>
    fetch(`${service.url}${login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login.body),
    })
      .then((response) => response.text())
      .catch(() => undefined);
  const ratios: number[] = [];
  await probe.work(1_000);
  for (let round = 0; round < 3; round++) {
    const alone = await probe.work(1_000);
    const timer = setInterval(() => void logIn(), 1_000 / loginsASecond);
    const crowded = await probe.work(1_000);
    clearInterval(timer);
    ratios.push((crowded.p99Ms ?? Number.NaN) / (alone.p99Ms || 1));
  }
  return median(ratios);
}
