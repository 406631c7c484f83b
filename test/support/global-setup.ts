import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/core/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/core/database/migrate.ts';
import { isAlive } from './is-alive.ts';
import { partition } from './partition.ts';
import { makeScratchFolder, scratchParent } from './scratch-folder.ts';
import { templateName } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a role that may create databases. */
    databaseUrl: string;
    /** URL of a role that may also create roles. */
    superuserUrl: string;
  }
}

const log = pino({ level: 'error' });
const prefix = 'agent-chat-service-test-';

/**
 * Starts one PostgreSQL for the whole run, or uses TEST_DATABASE_URL, and migrates a template that tests clone. With
 * TEST_PARTITIONED the template's messages and generations are partitioned.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? { url: given, superuserUrl: given, stop: async () => undefined } : await startServer();
  await makeTemplate(server.url);
  project.provide('databaseUrl', server.url);
  project.provide('superuserUrl', server.superuserUrl);
  return () => server.stop();
}

/** Durability is off, because no data outlives the run. */
async function startServer() {
  await removeAbandoned();
  const dataDir = await makeScratchFolder(prefix);
  await writeFile(join(dataDir, 'pid'), String(process.pid));
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_connections: '300',
  };
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const superuserUrl = new URL(server.url);
  const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim();
  Object.assign(superuserUrl, { username: 'postgres', password, pathname: 'postgres' });
  return { url: server.url, superuserUrl: superuserUrl.href, stop };
}

/** Removes servers and folders that killed runs left behind. */
async function removeAbandoned(): Promise<void> {
  const parent = await scratchParent();
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(parent, name);
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => ''));
    if (!pid || isAlive(pid)) continue;
    const server = await startEmbeddedPostgres({ dataDir: folder, log }).catch(() => null);
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`drop database if exists ${templateName} with (force)`);
    await admin.query(`create database ${templateName}`);
  } finally {
    await admin.end();
  }
  const templateUrl = new URL(adminUrl);
  templateUrl.pathname = templateName;
  await migrate(templateUrl.href, log);
  if (process.env['TEST_PARTITIONED']) await partition(templateUrl.href, { keepsBefore: false });
}
