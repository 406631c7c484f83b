import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type App, type AppOverrides, createApp } from '../../src/app/app.ts';
import type { Plan } from '../../src/core/actor.ts';
import { readConfig } from '../../src/app/config.ts';
import { createLogger } from '../../src/core/process/log.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../src/simulators/openai.ts';
import { type Account, createClient, type Client } from './client.ts';
import { createTestDatabase } from './database.ts';
import { requireDocumented } from './documented-refusals.ts';

/** The complete service on its own database, listening on a loopback port: that of `PORT`, else a free one. */
export interface TestApp extends Client {
  /** Registers an account; a plan other than `free` is written to the database. */
  signUp(fields?: Parameters<Client['signUp']>[0] & { plan?: Plan }): Promise<Account>;
  app: App;
  /** `http://127.0.0.1:PORT`, without `/v1`. */
  baseUrl: string;
  databaseUrl: string;
  /** Files and secrets of this instance. */
  dataDir: string;
  /** The model provider that the service calls. Tests script it and inspect its requests. */
  model: OpenAiSimulator;
  /** A pool of the test's own, to inspect and change the database directly. */
  db: pg.Pool;
  close(): Promise<void>;
}

interface TestAppOptions extends AppOverrides {
  env?: Record<string, string>;
  /** Shares the database of another instance. */
  databaseUrl?: string;
}

const byPlan = { free: 1e6, plus: 1e6, pro: 1e6, creator: 1e6 };
const unlimited = JSON.stringify({
  ...byPlan,
  anonymous: 1e6,
  tts: byPlan,
  stt: byPlan,
  images: byPlan,
  imageUploads: byPlan,
  embeddings: byPlan,
  knowledgeQueries: byPlan,
  socialWrites: byPlan,
  followsPerHour: 1e6,
  agentChangesPerHour: 1e6,
  reportsPerHour: 1e6,
  anonymousReportsPerHour: 1e6,
  mailsPerMailboxHour: 1e6,
  registrationsPerDomainHour: 1e6,
  registrationsPerAddressHour: 1e6,
  roomMessages: byPlan,
});

export async function startTestApp({ env = {}, databaseUrl, ...overrides }: TestAppOptions = {}): Promise<TestApp> {
  const database = databaseUrl === undefined ? await createTestDatabase() : null;
  const url = databaseUrl ?? database?.url ?? '';
  const dataDir = await mkdtemp(join(tmpdir(), 'acs-test-'));
  const log = createLogger(env['LOG_LEVEL'] ?? process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const model = await startOpenAiSimulator({ log });
  const config = readConfig({
    PROFILE: 'embedded',
    DATABASE_URL: url,
    // A loaded machine may be slow to accept connections.
    DATABASE_WAIT_MS: '15000',
    DATA_DIR: dataDir,
    PORT: '0',
    RATE_LIMITS: unlimited,
    OPENAI_API_KEY: 'test-key',
    OPENAI_BASE_URL: model.baseUrl,
    ...env,
  });
  const app = await createApp(config, log, overrides);
  await app.server.listen({ host: '127.0.0.1', port: config.port });
  const baseUrl = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`;
  const db = new pg.Pool({ connectionString: url, max: 3 });
  db.on('error', () => undefined);
  const client = createClient(baseUrl, requireDocumented);
  return {
    ...client,
    async signUp({ plan, ...fields } = {}) {
      const account = await client.signUp(fields);
      if (plan) await db.query('update users set plan = $1 where id = $2', [plan, account.id]);
      return account;
    },
    app,
    baseUrl,
    databaseUrl: url,
    dataDir,
    model,
    db,
    async close() {
      await app.close();
      await model.stop();
      await db.end();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
