import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/core/embedded-postgres/embedded-postgres.ts';
import {
  locatePostgresBinaries,
  platforms,
  postgresMajor,
} from '../../src/core/embedded-postgres/postgres-binaries.ts';
import { isPostgresOf, postgresesOf } from '../../src/core/embedded-postgres/server-processes.ts';
import { StartError } from '../../src/core/process/start-error.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';

const script = join(import.meta.dirname, '../support/embedded-postgres-process.ts');
const log = pino({ level: 'silent' });
const patience = { timeout: 10_000, interval: 20 };

let dataDir = '';
let servers: EmbeddedPostgres[] = [];
let processes: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await makeScratchFolder('embedded-postgres-');
});

afterEach(async () => {
  for (const child of processes) child.kill('SIGKILL');
  if (processes.length > 0) servers.push(await startEmbeddedPostgres({ dataDir, log }));
  await Promise.all(servers.map((server) => server.stop()));
  [servers, processes] = [[], []];
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataDir, log });
  servers.push(server);
  return server;
};

/** Starts another process on the same folder. Returns it with its database URL. */
async function startProcess(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  processes.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: line.toString().trim() };
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const write = (url: string) => query(url, 'create table notes as select 7 as note');
const read = (url: string) => query(url, 'select note from notes');
const readEventually = (url: string) =>
  vi.waitFor(async () => expect(await read(url)).toEqual([{ note: 7 }]), patience);
const readPostmaster = async () =>
  Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);

describe('the first start', () => {
  it('starts a durable UTF-8 server on the loopback interface that requires a password', async () => {
    const { url } = await start();
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(
      await query(
        url,
        `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, lower('ÄÖ') as lower,
          current_setting('server_encoding') as encoding, rolsuper as super from pg_roles where rolname = current_user`,
      ),
    ).toEqual([{ fsync: 'on', commit: 'on', lower: 'äö', encoding: 'UTF8', super: false }]);
    await expect(query(url.replace(/:[0-9a-f]{64}@/, ':wrong@'), 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('makes the password readable only by the user who runs the service', async () => {
    await start();
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
  });

  it('removes the leftovers of a killed initdb', async () => {
    const draft = await mkdtemp(join(dataDir, 'postgres.new-'));
    await writeFile(join(draft, 'half'), '');
    await start();
    expect(await readdir(dataDir)).toEqual(['postgres']);
  });
});

describe('the data', () => {
  it('is available at the next start', async () => {
    const first = await start();
    await write(first.url);
    await first.stop();
    await expect(query(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    expect(await read((await start()).url)).toEqual([{ note: 7 }]);
  });

  it('is available on the same port after the server was killed', async () => {
    const { url } = await start();
    await write(url);
    const killed = await readPostmaster();
    process.kill(killed, 'SIGKILL');
    await readEventually(url);
    expect(await readPostmaster()).not.toBe(killed);
  });

  it('is available after everything was killed', async () => {
    const { child, url } = await startProcess();
    await write(url);
    child.kill('SIGKILL');
    await once(child, 'exit');
    process.kill(await readPostmaster(), 'SIGKILL');
    expect(await read((await start()).url)).toEqual([{ note: 7 }]);
  });
});

describe('several processes on one folder', () => {
  it('share a server when they start at the same instant, and the last one to stop stops it', async () => {
    const [a, b] = await Promise.all([startProcess(), startProcess()]);
    expect(a.url).toBe(b.url);
    await write(a.url);
    a.child.kill('SIGTERM');
    await once(a.child, 'exit');
    expect(await read(b.url)).toEqual([{ note: 7 }]);
    b.child.kill('SIGTERM');
    await once(b.child, 'exit');
    await expect(query(b.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('restart the server when it is killed together with the process that started it', async () => {
    const { child, url } = await startProcess();
    const second = await start();
    expect(second.url).toBe(url);
    await write(url);
    child.kill('SIGKILL');
    process.kill(await readPostmaster(), 'SIGKILL');
    await readEventually(second.url);
  });

  it('adopt a server that outlived its killed process, and stop it', async () => {
    const { child, url } = await startProcess();
    await write(url);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const heir = await start();
    expect(heir.url).toBe(url);
    expect(await read(url)).toEqual([{ note: 7 }]);
    await heir.stop();
    await expect(query(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('postgresesOf', () => {
  test('finds the processes of a cluster in the output of ps, too', async () => {
    await start();
    const { dev, ino } = await stat(join(dataDir, 'postgres/data'));
    const name = `agent-chat-${dev}-${ino}`;
    const hasPs = await access('/bin/ps').then(
      () => true,
      () => false,
    );
    const fromProc = await postgresesOf(name, 'linux');
    expect(fromProc.length).toBeGreaterThan(1);
    if (!hasPs) return;
    expect(await postgresesOf(name, 'darwin')).toEqual(expect.arrayContaining(fromProc.slice(0, 3)));
    expect(await isPostgresOf(fromProc[0] ?? 0, name, 'darwin')).toBe(true);
    expect(await isPostgresOf(process.pid, name, 'darwin')).toBe(false);
  });
});

describe('a fault that the operator can fix', () => {
  it('is reported for a platform without binaries', async () => {
    const attempt = locatePostgresBinaries('win32', 'x64');
    await expect(attempt).rejects.toBeInstanceOf(StartError);
    await expect(attempt).rejects.toThrow(
      /no embedded PostgreSQL for win32-x64.*WSL or with compose.yaml.*DATABASE_URL/,
    );
  });

  it('does not occur on platforms with a package, all of which are optional dependencies', async () => {
    const { optionalDependencies } = JSON.parse(
      await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as { optionalDependencies: Record<string, string> };
    const packages = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@embedded-postgres/'));
    expect(packages.map(([name]) => name.replace('@embedded-postgres/', ''))).toEqual([...platforms].sort());
    // One server version on every platform, so that a data folder can move between machines of the same architecture.
    expect(new Set(packages.map(([, version]) => version)).size).toBe(1);
    expect(packages[0]?.[1]).toMatch(new RegExp(`^${postgresMajor}\\.`));
  });

  it('is reported for macOS, whose binaries are packages too', async () => {
    await expect(locatePostgresBinaries('darwin', 'arm64')).rejects.toThrow(/not installed.*npm ci.*DATABASE_URL/);
  });

  it('is reported for binaries that were not installed', async () => {
    const missing = process.arch === 'x64' ? 'arm64' : 'x64';
    await expect(locatePostgresBinaries('linux', missing)).rejects.toThrow(/not installed.*npm ci.*DATABASE_URL/);
  });

  it('is reported for a folder that contains something else', async () => {
    const server = await start();
    await server.stop();
    await writeFile(join(dataDir, 'postgres/data/PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow(/written by PostgreSQL 15.*embedded one is 18/);
    await rm(join(dataDir, 'postgres/password'));
    await expect(start()).rejects.toThrow(/holds no usable database/);
  });

  it('is reported when a file has the path of the folder', async () => {
    await writeFile(join(dataDir, 'file'), '');
    await expect(startEmbeddedPostgres({ dataDir: join(dataDir, 'file'), log })).rejects.toBeInstanceOf(StartError);
  });
});
