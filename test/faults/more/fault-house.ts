import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { createLogger } from '../../../src/core/log.ts';
import { type OpenAiStandIn, startOpenAiStandIn } from '../../../src/standins/openai.ts';
import { type Account, type Client, expectStatus } from '../../support/client.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';

type ServiceOptions = NonNullable<Parameters<typeof startServiceProcess>[1]>;

/** One database, one scripted provider and any number of processes of the service on them. */
export interface FaultHouse {
  databaseUrl: string;
  /** Looks at the database behind the service's back. */
  db: pg.Pool;
  dataDir: string;
  model: OpenAiStandIn;
  start(env?: Record<string, string>, options?: ServiceOptions): Promise<ServiceProcess>;
  /** Ends all that still run, so that the next scenario begins with none. */
  killAll(): Promise<void>;
  close(): Promise<void>;
}

const byPlan = { free: 1e6, plus: 1e6, pro: 1e6, creator: 1e6 };
/** Instances of one service have the same secrets, and no limit that a scenario is not about. */
export const sharedEnv = {
  AUTH_SECRET: 's'.repeat(40),
  ENCRYPTION_KEYS: 'e'.repeat(40),
  RATE_LIMITS: JSON.stringify({ ...byPlan, anonymous: 1e6 }),
  GENERATION_LIMITS: JSON.stringify({ perAccount: 5_000, perAccountAtOnce: 5_000, perInstance: 5_000 }),
};

/** On a database of the tests' own server, whose writes need not reach the disk: for everything but faults of PostgreSQL. */
export async function openFaultHouse({ keepRequests = 100 } = {}): Promise<FaultHouse> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'acs-fault-'));
  const model = await startOpenAiStandIn({ log: createLogger('silent'), keepRequests });
  const db = new pg.Pool({ connectionString: database.url, max: 4 });
  db.on('error', () => undefined);
  // Starts, not processes: one that is on its way when a scenario fails is waited for, and ended too.
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

/** Waits for the end that a failpoint brings. A moment that never comes fails the scenario, which then ends what it started. */
export async function expectDeath(dying: ServiceProcess, failpoint: string): Promise<void> {
  const late = sleep(60_000, 'it lives on', { ref: false });
  expect([failpoint, await Promise.race([dying.exited, late])]).toEqual([failpoint, null]);
}

/** An account that no plan limits. */
export async function signUpCreator(service: Client, db: pg.Pool): Promise<Account> {
  const account = await service.signUp();
  await db.query(`update users set plan = 'creator' where id = $1`, [account.id]);
  return account;
}

const openedAtOnce = 8;

/** `count` conversations with one agent. Few at once, because each would leave a connection open behind it. */
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

/** The pid of the PostgreSQL under a data folder. */
export async function findPostmaster(dataDir: string): Promise<number> {
  const file = (await readdir(dataDir, { recursive: true })).find((name) => name.endsWith('postmaster.pid')) ?? '';
  return Number((await readFile(join(dataDir, file), 'utf8')).split('\n', 1)[0]);
}

/** Of numbers, the one that `part` of them do not exceed. */
export function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
