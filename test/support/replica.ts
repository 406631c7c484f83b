import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/core/embedded-postgres/embedded-postgres.ts';
import { locatePostgresBinaries } from '../../src/core/embedded-postgres/postgres-binaries.ts';
import { findCluster } from '../../src/core/embedded-postgres/postgres-cluster.ts';
import { findFreePort, launchServer, stopServer } from '../../src/core/embedded-postgres/postgres-server.ts';
import { createLogger } from '../../src/core/process/log.ts';
import { eventually } from './eventually.ts';

const run = promisify(execFile);
const log = createLogger('silent');

/** A PostgreSQL server with a streaming replica. */
export interface ReplicatedPostgres {
  /** URL of the service's database. */
  url: string;
  replicaUrl: string;
  /** Runs a statement as the superuser of the replica. */
  onReplica(text: string): Promise<pg.QueryResult>;
  stopReplica(): Promise<void>;
  /** Restarts the replica on the same port. */
  startReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server, copies it while running, like a base backup, and starts the copy as its replica. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'acs-replica-'));
  await chmod(folder, 0o755);
  const [primaryDir, replicaDir] = ['primary', 'replica'].map((name) => join(folder, name)) as [string, string];
  const primary = await startEmbeddedPostgres({ dataDir: primaryDir, log });
  const { port } = new URL(primary.url);
  const password = (await readFile(join(primaryDir, 'postgres', 'password'), 'utf8')).trim();
  await copy(
    superuserUrl(primary.url, password),
    primaryDir,
    replicaDir,
    `host=127.0.0.1 port=${port} user=postgres password=${password}`,
  );
  const cluster = await findCluster(join(replicaDir, 'postgres'));
  if (!cluster) throw new Error('the copy is not there');
  const binaries = await locatePostgresBinaries();
  const replicaUrl = Object.assign(new URL(primary.url), { port: String(await findFreePort(null)) }).href;
  const onReplica = (text: string) => runOnce(superuserUrl(replicaUrl, password), text);
  const start = async (): Promise<number> => {
    const { pid } = await launchServer(cluster, binaries, Number(new URL(replicaUrl).port), { settings: {}, env: {} });
    const isReady = () =>
      onReplica('select').then(
        () => true,
        () => false,
      );
    await eventually(isReady, { what: 'the replica' });
    return pid;
  };
  let pid = await start();
  return {
    url: primary.url,
    replicaUrl,
    onReplica,
    stopReplica: () => stopServer(pid, cluster),
    startReplica: async () => void (pid = await start()),
    stop: async () => {
      await stopServer(pid, cluster);
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const superuserUrl = (url: string, password: string): string => {
  const { host } = new URL(url);
  return `postgres://postgres:${password}@${host}/postgres`;
};

async function copy(url: string, from: string, to: string, connection: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', fast => true)`);
    await mkdir(to);
    await run('cp', ['-a', join(from, 'postgres'), to]);
    const data = join(to, 'postgres', 'data');
    await rm(join(data, 'postmaster.pid'));
    const { rows } = await client.query<{ labelfile: string }>(
      `select labelfile from pg_backup_stop(wait_for_archive => false)`,
    );
    await writeFile(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(data, 'standby.signal'), '');
    await writeFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
    await run('chown', ['-R', `--reference=${join(from, 'postgres', 'data')}`, data]);
  } finally {
    await client.end();
  }
}

async function runOnce(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
