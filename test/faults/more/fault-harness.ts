import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { createLogger } from '../../../src/core/process/log.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../../src/simulators/openai.ts';
import { type Account, type Client, expectStatus } from '../../support/client.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';

type ServiceOptions = NonNullable<Parameters<typeof startServiceProcess>[1]>;

/** One database, one scripted provider and any number of processes of the service on them. */
export interface FaultHarness {
  databaseUrl: string;
  /** A pool of the test's own. */
  db: pg.Pool;
  dataDir: string;
  model: OpenAiSimulator;
  start(env?: Record<string, string>, options?: ServiceOptions): Promise<ServiceProcess>;
  /** Kills every process that still runs, so that the next scenario begins with none. */
  killAll(): Promise<void>;
  close(): Promise<void>;
}

const byPlan = { free: 1e6, plus: 1e6, pro: 1e6, creator: 1e6 };
/** Instances share secrets, and have no limits except those that a scenario tests. */
export const sharedEnv = {
  AUTH_SECRET: 's'.repeat(40),
  ENCRYPTION_KEYS: 'e'.repeat(40),
  RATE_LIMITS: JSON.stringify({ ...byPlan, anonymous: 1e6, registrationsPerDomainHour: 1e6, agentChangesPerHour: 1e6 }),
  GENERATION_LIMITS: JSON.stringify({ perAccount: 5_000, perAccountAtOnce: 5_000, perInstance: 5_000 }),
};

/** Uses a database of the shared test server, which is not durable: for everything but faults of PostgreSQL. */
export async function openFaultHarness({ keepRequests = 100 } = {}): Promise<FaultHarness> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'acs-fault-'));
  const model = await startOpenAiSimulator({ log: createLogger('silent'), keepRequests });
  const db = new pg.Pool({ connectionString: database.url, max: 4 });
  db.on('error', () => undefined);
  // Starts, not processes: a process that is starting when a scenario fails is killed too.
  const starts = new Set<Promise<ServiceProcess>>();
  const killAll = async () => {
    for (const start of await Promise.allSettled(starts)) if (start.status === 'fulfilled') await start.value.kill();
    starts.clear();
  };
  return {
    databaseUrl: database.url,
    db,
    dataDir,
    model,
    killAll,
    start: (env = {}, options = {}) => {
      const vendors = { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: model.baseUrl };
      const own = { ...sharedEnv, DATABASE_URL: database.url, DATA_DIR: dataDir, ...vendors, ...env };
      const start = startServiceProcess(own, options);
      starts.add(start);
      return start;
    },
    close: async () => {
      await killAll();
      await model.stop();
      await db.end();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits until a failpoint ends the process. If it is never reached, the scenario fails. */
export async function expectDeath(dying: ServiceProcess, failpoint: string): Promise<void> {
  const late = sleep(60_000, 'it is still running', { ref: false });
  expect([failpoint, await Promise.race([dying.exited, late])]).toEqual([failpoint, null]);
}

/** Registers an account without plan limits. */
export async function signUpCreator(service: Client, db: pg.Pool): Promise<Account> {
  const account = await service.signUp();
  await db.query(`update users set plan = 'creator' where id = $1`, [account.id]);
  return account;
}

const openedAtOnce = 8;

/** Creates `count` conversations with one agent, a few at a time, because each leaves a connection open. */
export async function openConversations(service: Client, as: string, count: number): Promise<string[]> {
  const { id: first, agent_id } = await service.createConversation(as);
  const open = async () => {
    const made = await service.call('POST', '/v1/conversations', { as, body: { agent_id } });
    return expectStatus(made, 201).body.id as string;
  };
  const ids = [first];
  while (ids.length < count)
    ids.push(...(await Promise.all(Array.from({ length: Math.min(openedAtOnce, count - ids.length) }, open))));
  return ids;
}

/** Returns the pid of the PostgreSQL of a data folder. */
export async function findPostmaster(dataDir: string): Promise<number> {
  const file = (await readdir(dataDir, { recursive: true })).find((name) => name.endsWith('postmaster.pid')) ?? '';
  return Number((await readFile(join(dataDir, file), 'utf8')).split('\n', 1)[0]);
}

/** Returns the smallest number that `part` of all numbers do not exceed. */
export function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
