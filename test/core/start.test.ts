import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenFault } from '../../src/core/process/listen-fault.ts';
import { startTestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const main = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'acs-start-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Starts the built service and waits for its end. */
const end = (env: Record<string, string>, ...args: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: { PATH: process.env['PATH'], DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env } },
      (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: err + out }),
    );
  });

test('startup fails with one clear line when the database does not respond', async () => {
  const { code, said } = await end({ DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/nowhere' });
  expect(code).not.toBe(0);
  expect(said).toContain('PostgreSQL at 127.0.0.1:1/nowhere');
  expect(said).not.toMatch(/hunter2|\n\s+at /);
});

test('startup fails with a list of all invalid settings', async () => {
  const { code, said } = await end({
    PORT: 'abc',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://x',
    RATE_LIMITS: '{"free":0}',
  });
  expect(code).not.toBe(0);
  for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL']) expect(said).toContain(name);
  expect(said).not.toMatch(/\n\s+at /);
});

test('production does not start without its required settings', async () => {
  const { code, said } = await end({ NODE_ENV: 'production' });
  expect(code).not.toBe(0);
  for (const name of ['DATABASE_URL', 'AUTH_SECRET', 'ENCRYPTION_KEYS', 'OPENAI_API_KEY']) expect(said).toContain(name);
});

test('startup reports a port that is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  const database = await createTestDatabase();
  const { port } = taken.address() as AddressInfo;
  const { code, said } = await end({ DATABASE_URL: database.url, PORT: String(port) });
  taken.close();
  await database.drop();
  expect(code).not.toBe(0);
  expect(said).toContain(`Port ${port}`);
});

test('startup reports an address that is not one of this machine', async () => {
  const database = await createTestDatabase();
  for (const HOST of ['192.0.2.1', 'no-such-host.invalid']) {
    const { code, said } = await end({ DATABASE_URL: database.url, PORT: '0', HOST });
    expect(code).not.toBe(0);
    expect(said).toMatch(new RegExp(`^The service cannot listen on ${HOST}: .+ Set HOST to `));
    expect(said).not.toMatch(/\n\s+at /);
  }
  await database.drop();
});

test('startup reports a port that is reserved for root', () => {
  const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen' });
  const { message } = listenFault(refused, { host: '0.0.0.0', port: 80 });
  expect(message).toBe('This user may not listen on port 80 of 0.0.0.0. Set PORT to one from 1024 to 65535.');
});

test('the migrations can run alone', async () => {
  const database = await createTestDatabase();
  const { code } = await end({ DATABASE_URL: database.url }, 'migrate');
  await database.drop();
  expect(code).toBe(0);
});

test('a database that an instance uses is prepared as a restored one only by force', async () => {
  const app = await startTestApp();
  const env = { DATABASE_URL: app.databaseUrl };
  const refused = await end(env, 'restored');
  expect(refused.code).not.toBe(0);
  expect(refused.said).toMatch(/^An instance uses this database[^\n]+ Stop all instances first/);
  expect((await end(env, 'restored', '--forse')).said).toBe('Use: restored [--force]\n');
  expect((await end(env, 'restored', '--force')).code).toBe(0);
  await app.close();
});

test('a database without an instance is prepared as a restored one', async () => {
  const database = await createTestDatabase();
  expect((await end({ DATABASE_URL: database.url }, 'restored')).code).toBe(0);
  await database.drop();
});

test('rejects an unknown command without starting the server', async () => {
  const { code, said } = await end({ PORT: '0' }, 'migrte');
  expect(code).not.toBe(0);
  expect(said).toMatch(/"migrte".+migrate/);
});

describe('a signal during the start', () => {
  /** Sends the signal as soon as `isTime` is true, and waits for the end. */
  async function endBy(
    signal: NodeJS.Signals,
    isTime: (said: string) => boolean | Promise<boolean>,
    env: Record<string, string>,
    ...args: string[]
  ): Promise<{ code: number | null; said: string }> {
    const child = spawn(process.execPath, [main, ...args], { env: { PATH: process.env['PATH'], PORT: '0', ...env } });
    let said = '';
    const keep = (chunk: Buffer) => void (said += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const exited = once(child, 'exit') as Promise<[number | null]>;
    try {
      await eventually(() => isTime(said), { what: 'the moment of the signal' });
      child.kill(signal);
      const [code] = await exited;
      return { code, said };
    } finally {
      child.kill('SIGKILL');
    }
  }
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );

  test.each([
    ['SIGTERM', 'launches', ({ pidFile }: { pidFile: string }) => exists(pidFile)],
    ['SIGHUP', 'has launched', ({ said }: { said: string }) => said.includes('PostgreSQL is up')],
  ] as const)('%s, while it %s the embedded PostgreSQL, stops both', async (signal, _moment, isTime) => {
    const folder = await mkdtemp(join(tmpdir(), 'acs-stop-'));
    const pidFile = join(folder, 'postgres/data/postmaster.pid');
    const { code, said } = await endBy(signal, (sofar) => isTime({ pidFile, said: sofar }), { DATA_DIR: folder });
    expect(code).toBe(0);
    expect(said).not.toMatch(/"ready"|\n\s+at /);
    expect(await exists(pidFile)).toBe(false);
    await rm(folder, { recursive: true });
  });

  test('ends a command that waits, with the exit code of the signal', async () => {
    const database = await createTestDatabase();
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('select pg_advisory_lock(727001)');
    const isWaiting = async () =>
      (await holder.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount === 1;
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir };
    expect((await endBy('SIGTERM', isWaiting, env, 'migrate')).code).toBe(143);
    await holder.end();
    await database.drop();
  });
});
