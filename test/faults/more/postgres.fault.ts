import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/core/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../../../src/core/process/log.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../../src/simulators/openai.ts';
import type { Account } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { findPostmaster, openConversations, percentile, sharedEnv, signUpCreator } from './fault-harness.ts';
import { audit, startLoad } from './load.ts';

// A separate, fully durable server: these scenarios break the database.
let dataDir: string;
let postgres: EmbeddedPostgres;
let proxy: TcpProxy;
let model: OpenAiSimulator;
let db: pg.Pool;
let service: ServiceProcess;
let account: Account;
let conversations: string[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'acs-postgres-'));
  const log = createLogger('silent');
  postgres = await startEmbeddedPostgres({ dataDir, log });
  proxy = await startTcpProxy(postgres.url);
  model = await startOpenAiSimulator({ log });
  db = new pg.Pool({ connectionString: postgres.url, max: 3 });
  db.on('error', () => undefined);
  service = await startServiceProcess({
    ...sharedEnv,
    DATABASE_URL: proxy.url,
    DATA_DIR: join(dataDir, 'service'),
    OPENAI_API_KEY: 'test-key',
    OPENAI_BASE_URL: model.baseUrl,
  });
  account = await signUpCreator(service, db);
  conversations = await openConversations(service, account.token, 6);
});
afterAll(async () => {
  await service.kill();
  await db.end();
  await proxy.stop();
  await postgres.stop();
  await model.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const reads = async (): Promise<number> => (await service.call('GET', '/v1/agents', { as: account.token })).status;
const isUp = () =>
  db.query('select 1').then(
    () => true,
    () => false,
  );

const restarts = countOf({ quick: 3, long: 20 });

test.for([
  ['restarted', 'SIGINT'],
  ['killed', 'SIGKILL'],
] as const)(
  'returns 503 until PostgreSQL %s under load is back, recovers at once, and loses nothing',
  { timeout: 60_000 * restarts },
  async ([, signal], { task }) => {
    const load = startLoad({ service: () => service, account, conversations, model });
    const recoveriesMs: number[] = [];
    for (let restart = 0; restart < restarts; restart++) {
      await sleep(2_000);
      const pid = await findPostmaster(dataDir);
      process.kill(pid, signal);
      await eventually(async () => (await findPostmaster(dataDir).catch(() => pid)) !== pid && (await isUp()), {
        timeoutMs: 40_000,
        what: 'PostgreSQL',
      });
      const startMs = performance.now();
      await eventually(async () => (await reads()) === 200, { timeoutMs: 10_000, what: 'the service' });
      recoveriesMs.push(performance.now() - startMs);
    }
    await sleep(1_000);
    await load.stop();
    const checked = await audit(db, load);
    expect(Math.max(...recoveriesMs)).toBeLessThan(3_000);
    expect(load.ledger.unanswered).toBe(0);
    const slowest = Math.max(...recoveriesMs).toFixed(0);
    report(
      { task },
      {
        times: `${restarts} × ${signal}`,
        checked,
        note: `${load.ledger.unavailable} answers 503; back at most ${slowest} ms after PostgreSQL`,
      },
    );
  },
);

/** Stops and continues all processes of a server. */
async function freeze(): Promise<() => void> {
  const postmaster = await findPostmaster(dataDir);
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  const pids = [postmaster, ...children.trim().split(' ').map(Number)];
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => pids.forEach((pid) => process.kill(pid, 'SIGCONT'));
}

const silentMs = countOf({ quick: 8_000, long: 20_000 });

test.for([
  ['behind a hanging proxy', 'a proxy that hangs'],
  ['that is frozen', 'SIGSTOP of all its processes'],
] as const)(
  'ends every request within 5 s with 503 with PostgreSQL %s, and recovers',
  { timeout: 120_000 },
  async ([, means], { task }) => {
    await eventually(async () => (await reads()) === 200, { what: 'the service' });
    const timed = async (method: string, path: string, body?: object) => {
      const startMs = performance.now();
      const { status } = await service.call(method, path, { as: account.token, body });
      return { status, ms: performance.now() - startMs };
    };
    const usualMs: number[] = [];
    for (let n = 0; n < 20; n++) {
      usualMs.push((await timed('GET', '/healthz')).ms);
      await sleep(50);
    }
    const load = startLoad({ service: () => service, account, conversations, model });
    await sleep(1_000);
    let goOn: () => void;
    if (means.startsWith('a proxy')) {
      proxy.mode = 'hang';
      goOn = () => (proxy.mode = 'pass');
    } else goOn = await freeze();
    const ends: { status: number; ms: number }[] = [];
    const lagsMs: number[] = [];
    const asked: Promise<unknown>[] = [];
    try {
      for (const endMs = performance.now() + silentMs; performance.now() < endMs; await sleep(100)) {
        asked.push(timed('GET', '/v1/agents').then((end) => ends.push(end)));
        asked.push(timed('POST', '/v1/agents', { name: 'A', instructions: 'B' }).then((end) => ends.push(end)));
        asked.push(timed('GET', '/healthz').then(({ ms }) => lagsMs.push(ms)));
      }
      await sleep(1_000);
    } finally {
      goOn();
    }
    const startMs = performance.now();
    await eventually(async () => (await reads()) === 200, { timeoutMs: 10_000, what: 'the service' });
    const recoveryMs = performance.now() - startMs;
    await Promise.all(asked);
    await load.stop();
    const checked = await audit(db, load);
    const late = ends.filter(({ ms }) => ms > 5_300);
    expect(late).toEqual([]);
    expect(ends.filter(({ status }) => ![200, 201, 503].includes(status))).toEqual([]);
    expect(ends.filter(({ status }) => status === 503).length).toBeGreaterThan(20);
    expect(recoveryMs).toBeLessThan(5_000);
    expect(percentile(lagsMs, 0.99)).toBeLessThan(250 + Math.min(500, 2 * percentile(usualMs, 0.9)));
    const slowest = Math.max(...ends.map(({ ms }) => ms)).toFixed(0);
    report(
      { task },
      {
        times: `${silentMs / 1000} s`,
        checked: `${ends.length} requests, ${checked}`,
        note: `${means}; slowest response ${slowest} ms, back after ${recoveryMs.toFixed(0)} ms, event loop p99 ${percentile(lagsMs, 0.99).toFixed(0)} ms`,
      },
    );
  },
);
