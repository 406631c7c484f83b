import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../../src/core/config/config.ts';
import { namedKey } from '../../src/core/crypto.ts';
import { newId } from '../../src/core/ids.ts';
import { generateSecret, sealSecret } from '../../src/webhooks/webhook-secrets.ts';
import { createAuthority } from '../support/webhook-receiver.ts';
import { compare, cpuPerOperation, rate } from './lab/compare.ts';
import { median, quantile, quartiles } from './lab/statistics.ts';
import type { Bench, BenchProcess, BenchRow, Candidate, Figure } from './row.ts';

/** Webhook delivery: throughput, latency, and the effect of one endpoint on the others. */
export const rows: BenchRow[] = [
  {
    name: 'P9',
    title: 'webhook deliveries',
    measure: async (bench) => {
      const one = await start(bench, 1);
      const loops = await Promise.all([one.startLoop(), one.startLoop()]);
      const [baseline, control] = loops.map((process) => loop(process));
      if (!baseline || !control) throw new Error('no loop');
      const comparison = await compare(bench, { subject: one.dispatcher, baseline, control }, one.settle);
      const hundred = await start(bench, 100);
      const { apart, ratios } = await beside(bench, hundred);
      return [
        { what: 'to one endpoint', value: comparison.typical(rate), unit: '/s', goal: { atLeast: 3_000 } },
        comparison.ratio('to one endpoint, of B4', rate, { atLeast: 0.4 }),
        comparison.ratio('CPU of B4', cpuPerOperation),
        { what: 'CPU', value: comparison.typical(cpuPerOperation), unit: 'µs' },
        { what: 'B4', value: comparison.baseline(rate), unit: '/s' },
        { what: 'to 100 endpoints', value: apart, unit: '/s', goal: { atLeast: 3_000 } },
        {
          what: 'the other 99, with one that hangs',
          value: median(ratios),
          unit: '×',
          quartiles: quartiles(ratios),
          goal: { atLeast: 0.95 },
        },
      ];
    },
  },
  {
    name: 'F31',
    title: 'a backlog of webhook events that becomes due at once',
    measure: async (bench) => backlog(bench, await start(bench, 100)),
  },
  {
    name: 'P10',
    title: 'time from the commit of an event to its first POST, 500 a second',
    measure: async (bench) => {
      const harness = await start(bench, 10, '/timed');
      const delays = await harness.paced(bench.isQuick ? 1_000 : 5_000);
      return [
        { what: 'p50', value: quantile(delays, 0.5), unit: 'ms', goal: { atMost: 30 } },
        { what: 'p99', value: quantile(delays, 0.99), unit: 'ms', goal: { atMost: 250 } },
      ];
    },
  },
];

interface Arrivals {
  port: number;
  count: number;
  firstAt: number;
  lastAt: number;
  delaysMs: number[];
}

const eventText = JSON.stringify({
  conversation_id: `conv_${randomUUID()}`,
  message_id: `msg_${randomUUID()}`,
  role: 'user',
  content: 'x'.repeat(300),
  agent_id: randomUUID(),
  sequence: 1,
});

/** Starts the service and an endpoint, with `count` webhooks of one account each. */
async function start(bench: Bench, count: number, path = '/ok') {
  const { ca, cert, key } = await createAuthority();
  const folder = await mkdtemp(join(tmpdir(), 'acs-bench-ca-'));
  bench.defer(() => rm(folder, { recursive: true, force: true }));
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, ca);
  const sink = await bench.startFloor('webhook-sink.ts', { CERT: cert, KEY: key });
  const arrivals = async (reset = false): Promise<Arrivals> =>
    (await fetch(`${sink.url}/${reset ? 'reset' : ''}`)).json() as Promise<Arrivals>;
  const { port } = await arrivals();

  const databaseUrl = await bench.createDatabase();
  const db = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  bench.defer(() => db.end());
  const encryptionKey = 'e'.repeat(40);
  const users = await addWebhooks(db, count, `https://127.0.0.1:${port}${path}`, encryptionKey);
  const service = await bench.startService({
    databaseUrl,
    env: {
      NODE_EXTRA_CA_CERTS: caFile,
      ENCRYPTION_KEYS: encryptionKey,
      AUTH_SECRET: 'a'.repeat(40),
      LOG_LEVEL: 'info',
    },
  });

  const insert = (events: number) =>
    db.query(
      `with written as (
         insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
         select 'evt_' || gen_random_uuid(), ($1::text[])[1 + n % $2::int], 'message.created', $3::json, now(), now()
         from generate_series(1, $4::int) n returning seq, created_at),
       queued as (insert into outbox_queue (seq, event_created_at) select seq, created_at from written)
       select pg_notify('tasks', 'bench outbox')`,
      [users, count, eventText, events],
    );
  /** Sends `events`. Returns the time from the first to the last arrival of the `wanted` ones. */
  const deliver = async (events: number, wanted = events): Promise<{ operations: number; ms: number }> => {
    await arrivals(true);
    await insert(events);
    const deadline = performance.now() + 120_000;
    for (;;) {
      const { count: arrived, firstAt, lastAt } = await arrivals();
      if (arrived >= wanted) return { operations: arrived, ms: lastAt - firstAt };
      if (performance.now() > deadline) throw new Error(`${arrived} of ${wanted} arrived`);
      await sleep(20);
    }
  };
  const dispatcher: Candidate = {
    name: 'service',
    process: service,
    work: (ms) => deliver(Math.max(2_000, Math.ceil(ms * 4))),
  };
  return {
    service,
    dispatcher,
    deliver,
    db,
    /** Waits until every outcome is recorded. */
    settle: async () => {
      for (;;) {
        const { rowCount } = await db.query(`select from webhook_deliveries where status = 'pending' limit 1`);
        if (rowCount === 0) return;
        await sleep(50);
      }
    },
    startLoop: () =>
      bench.startFloor('post-loop.ts', { TARGET: `https://127.0.0.1:${port}/floor`, NODE_EXTRA_CA_CERTS: caFile }),
    /** Commits one event every 2 ms for `ms`. */
    paced: async (ms: number): Promise<number[]> => {
      await deliver(200);
      await arrivals(true);
      const events = Math.floor(ms / 2);
      const startedAt = performance.now();
      const commits: Promise<unknown>[] = [];
      for (let n = 0; n < events; n++) {
        const waitMs = startedAt + n * 2 - performance.now();
        if (waitMs > 1) await sleep(waitMs);
        const sentAt = performance.timeOrigin + performance.now();
        commits.push(
          db.query(
            `with written as (
               insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
               values ($1, $2, 'message.created', $3, now(), now()) returning seq, created_at),
             queued as (insert into outbox_queue (seq, event_created_at) select seq, created_at from written)
             select pg_notify('tasks', 'bench outbox')`,
            [newId('evt_'), users[n % count], JSON.stringify({ sent_at: sentAt })],
          ),
        );
      }
      await Promise.all(commits);
      for (;;) {
        const { count: arrived, delaysMs } = await arrivals();
        if (arrived >= events) return delaysMs.toSorted((a, b) => a - b);
        await sleep(20);
      }
    },
  };
}

async function addWebhooks(db: pg.Pool, count: number, url: string, encryptionKey: string): Promise<string[]> {
  const config = { encryptionKeys: [namedKey(encryptionKey)] } as unknown as Config;
  const users = Array.from({ length: count }, () => newId('usr_'));
  const webhooks = users.map(() => newId('wh_'));
  const secrets = webhooks.map((id) => sealSecret(config, id, generateSecret()));
  await db.query(
    `insert into users (id, email, username, password_hash, created_at, updated_at)
     select id, n || '@example.com', 'user-' || n, 'none', now(), now() from unnest($1::text[]) with ordinality as u (id, n)`,
    [users],
  );
  await db.query(
    `insert into webhooks (id, user_id, url, events, secret, created_at, updated_at)
     select id, user_id, $4, '{message.created}', secret, now(), now() from unnest($1::text[], $2::text[], $3::text[]) as w (id, user_id, secret)`,
    [webhooks, users, secrets, url],
  );
  return users;
}

const loop = (process: BenchProcess): Candidate => ({
  name: 'B4',
  process,
  work: async (ms) => (await fetch(`${process.url}/?ms=${ms}`)).json() as Promise<{ operations: number; ms: number }>,
});

/** Measures memory and time while draining a backlog. The table holds it; the process only holds deliveries in flight. */
async function backlog(bench: Bench, { service, deliver, settle }: Harness): Promise<Figure[]> {
  await deliver(5_000);
  await settle();
  const idleBytes = await service.residentBytes();
  let maxBytes = idleBytes;
  const watch = setInterval(() => {
    void service.residentBytes().then((bytes) => (maxBytes = Math.max(maxBytes, bytes)));
  }, 50);
  const { operations, ms } = await deliver(bench.isQuick ? 20_000 : 100_000);
  clearInterval(watch);
  return [
    { what: 'drained', value: (operations / ms) * 1_000, unit: '/s', goal: { atLeast: 1_000 } },
    { what: 'memory above idle', value: (maxBytes - idleBytes) / 1_048_576, unit: 'MB', goal: { atMost: 100 } },
  ];
}

type Harness = Awaited<ReturnType<typeof start>>;

/** Compares the rate to 99 endpoints while the hundredth responds with that while it hangs, in turn. */
async function beside(bench: Bench, { deliver, db, settle }: Harness): Promise<{ apart: number; ratios: number[] }> {
  const events = bench.isQuick ? 3_000 : 10_000;
  const point = async (path: string) => {
    await db.query(`delete from webhook_deliveries where status = 'pending'`);
    await db.query(
      `update webhooks set url = regexp_replace(url, '/[a-z]+$', $1), revision = revision + 1, active = true, consecutive_failures = 0
       where id = (select min(id) from webhooks)`,
      [path],
    );
  };
  const wanted = Math.floor((events * 99) / 100);
  await deliver(events);
  const rates: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < Math.max(2, bench.rounds / 2); round++) {
    await point('/ok');
    const well = await deliver(events);
    await settle();
    await point('/hang');
    const hanging = await deliver(events, wanted);
    rates.push((well.operations / well.ms) * 1_000);
    ratios.push(hanging.operations / hanging.ms / (well.operations / well.ms));
    // Wait for the timeout of the hanging endpoint, so that the next round finds every connection free.
    await sleep(6_000);
  }
  return { apart: median(rates), ratios };
}
