import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { processClock } from '../../support/clock.ts';
import { startOpenAiSimulator } from '../../../src/simulators/openai.ts';
import { startStripeSimulator } from '../../../src/simulators/stripe.ts';
import { simulatedPrices } from '../../../src/simulators/stripe/catalog.ts';
import { createMemoryStore } from '../../../src/simulators/stripe/store.ts';
import { templateName } from '../../support/database.ts';
import startPostgres from '../../support/global-setup.ts';
import { createRoleDatabase } from '../../support/serving-role.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { startServiceProcess } from '../../support/service-process.ts';

/** Two services of two instances each, built and started as shipped, with the secrets that an attacker must not learn. */
export interface LabAddress {
  /** Embedded profile: its mails can be read, and it has no rate limits. */
  open: Site;
  /** Production profile with the built-in limits; does not deliver to private addresses. */
  shipped: Site;
  /** Secrets that no response or log may contain. */
  secrets: typeof secrets;
}

export interface Site {
  urls: [string, string];
  /** URL for the database's owner. */
  databaseUrl: string;
  /** URL for the serving role, which cannot change the schema in production. */
  roleUrl: string;
  dataDir: string;
  /** The logs of both instances. */
  logFile: string;
  publicUrl: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    lab: LabAddress;
  }
}

const run = promisify(execFile);
const main = join(import.meta.dirname, '../../../dist/service/main.js');
const log = pino({ level: 'silent' });
const byPlan = { free: 1e6, plus: 1e6, pro: 1e6, creator: 1e6 };
const unlimited = JSON.stringify({
  ...byPlan,
  anonymous: 1e6,
  tts: byPlan,
  stt: byPlan,
  failedLogins: 1e6,
  mailsPerMailboxHour: 1e6,
  registrationsPerDomainHour: 1e6,
});
const secret = (name: string) => `${name}-canary-${randomBytes(16).toString('hex')}`;
const secrets = {
  auth: secret('signing'),
  encryption: secret('sealing'),
  openai: `sk-${secret('openai')}`,
  stripe: `sk_test_${secret('stripe')}`,
  stripeWebhook: `whsec_${secret('stripe')}`,
  slack: secret('slack'),
};

/** Starts PostgreSQL, the simulators and the four processes. Returns a function that stops them. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const stopPostgres = await startPostgres(project);
  const { databaseUrl, superuserUrl } = project.getProvidedContext();
  const stops: (() => Promise<unknown>)[] = [stopPostgres];
  const stop = async () => {
    for (const one of stops.toReversed()) await one();
  };
  try {
    const openUrl = await createDatabase(databaseUrl);
    const open = await startSite({ ownerUrl: openUrl, url: openUrl }, stops, {
      RATE_LIMITS: unlimited,
      WEBHOOK_RETRY_DELAYS: '0.2,0.2,0.2',
      PUBLIC_URL: 'https://service.example',
    });
    const roles = await createRoleDatabase(superuserUrl);
    stops.push(() => roles.drop());
    const shipped = await startSite(roles, stops, await productionSettings(stops));
    project.provide('lab', { open, shipped, secrets });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startSite(
  { ownerUrl, url }: { ownerUrl: string; url: string },
  stops: (() => Promise<unknown>)[],
  settings: Record<string, string>,
): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), 'acs-attack-'));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const logFile = join(dataDir, 'log.txt');
  const env = {
    DATABASE_URL: url,
    DATA_DIR: join(dataDir, 'data'),
    AUTH_SECRET: secrets.auth,
    ENCRYPTION_KEYS: secrets.encryption,
    STRIPE_WEBHOOK_SECRET: secrets.stripeWebhook,
    SLACK_SIGNING_SECRET: secrets.slack,
    LOG_LEVEL: 'trace',
    ...settings,
  };
  if (ownerUrl !== url) await run(process.execPath, [main, 'migrate'], { env: { ...env, DATABASE_URL: ownerUrl } });
  const startOne = async () => {
    const service = await startServiceProcess(env, { onOutput: (text) => appendFileSync(logFile, text) });
    stops.push(async () => {
      service.signal('SIGTERM');
      await service.exited;
    });
    return service.baseUrl;
  };
  // One after the other, because the first one migrates.
  const urls: Site['urls'] = [await startOne(), await startOne()];
  return {
    urls,
    databaseUrl: ownerUrl,
    roleUrl: url,
    dataDir: env.DATA_DIR,
    logFile,
    publicUrl: settings['PUBLIC_URL'] ?? '',
  };
}

async function createDatabase(adminUrl: string): Promise<string> {
  const admin = new pg.Client({ connectionString: adminUrl });
  const name = `attack_${randomBytes(6).toString('hex')}`;
  await admin.connect();
  await admin.query(`create database ${name} template ${templateName} strategy file_copy`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = name;
  return url.href;
}

/** The vendors of the production profile: simulators in this process. */
async function productionSettings(stops: (() => Promise<unknown>)[]): Promise<Record<string, string>> {
  const model = await startOpenAiSimulator({ log });
  stops.push(() => model.stop());
  const mail = await startMailServer();
  stops.push(() => mail.stop());
  const files = await mkdtemp(join(tmpdir(), 'acs-attack-files-'));
  stops.push(() => rm(files, { recursive: true, force: true }));
  const stripe = await startStripeSimulator({
    log,
    clock: processClock,
    store: createMemoryStore(),
    pagesUrl: 'https://pay.example',
    webhookSecret: secrets.stripeWebhook,
    send: async () => true,
  });
  stops.push(() => stripe.stop());
  return {
    NODE_ENV: 'production',
    PROFILE: 'production',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://shipped.example',
    OPENAI_API_KEY: secrets.openai,
    OPENAI_BASE_URL: model.baseUrl,
    STRIPE_SECRET_KEY: secrets.stripe,
    STRIPE_API_BASE: stripe.apiBase,
    SMTP_URL: mail.url,
    FILES_URL: pathToFileURL(files).href,
    STRIPE_PRICES: JSON.stringify(simulatedPrices),
    CHAT_SERVER_API_BASE: 'http://127.0.0.1:1/api',
    CHAT_MESSENGER_API_BASE: 'http://127.0.0.1:1',
    CHAT_WORKSPACE_API_BASE: 'http://127.0.0.1:1/api/',
    WEBHOOK_RETRY_DELAYS: '0.2,0.2,0.2',
  };
}
