import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../../src/core/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../../src/core/database/migrate.ts';
import type { Bench } from '../row.ts';
import { startProcess } from './processes.ts';

/** PostgreSQL for the whole run, and the tools of each row. */
export interface Lab {
  /** Processors of the servers; null if they are not pinned. */
  serverProcessors: string | null;
  openRow(): { bench: Bench; close(): Promise<void> };
  close(): Promise<void>;
}

interface LabOptions {
  isQuick: boolean;
  isLong: boolean;
  isReference: boolean;
  rounds: number;
  slices: number;
  sliceMs: number;
  /** Folder for a CPU profile of the service; null for none. Profiling costs time. */
  profileDir: string | null;
}

const root = resolve(import.meta.dirname, '../../..');
const log = pino({ level: 'error' });
const byPlan = { free: 1e7, plus: 1e7, pro: 1e7, creator: 1e7 };
const unlimited = JSON.stringify({
  ...byPlan,
  anonymous: 1e7,
  mailsPerMailboxHour: 1e7,
  registrationsPerDomainHour: 1e7,
  tts: byPlan,
  stt: byPlan,
  imageUploads: byPlan,
  roomMessages: byPlan,
  knowledgeQueries: byPlan,
});

/**
 * Starts PostgreSQL (BENCH_DATABASE_URL, else an embedded one with durable settings).
 * With enough processors, servers run on the first, PostgreSQL and the load on the others.
 */
export async function openLab(options: LabOptions): Promise<Lab> {
  const apart = !options.isQuick && availableParallelism() > 1 && pin(process.pid, `1-${availableParallelism() - 1}`);
  const serverProcessors = apart ? '0' : null;
  const given = process.env['BENCH_DATABASE_URL'];
  const postgres = given ? { url: given, stop: async () => undefined } : await startPostgres();
  return {
    serverProcessors,
    openRow: () => openRow(postgres.url, serverProcessors, options),
    close: () => postgres.stop(),
  };
}

/** Children inherit it, including PostgreSQL. */
const pin = (pid: number, processors: string): boolean =>
  spawnSync('taskset', ['-a', '-p', '-c', processors, String(pid)], { stdio: 'ignore' }).status === 0;

async function startPostgres() {
  // Not in memory as for tests: a commit has to reach a disk.
  const dataDir = await mkdtemp(join(tmpdir(), 'agent-chat-service-bench-'));
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedPostgres({ dataDir, log });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

function openRow(adminUrl: string, processors: string | null, options: LabOptions) {
  const stops: (() => unknown)[] = [];
  const defer = (stop: () => unknown) => void stops.push(stop);
  const bench: Bench = {
    ...options,
    defer,
    say: (line) => void process.stderr.write(`  ${line}\n`),
    async createDatabase({ isEmpty = false } = {}) {
      const name = `bench_${process.pid}_${stops.length}_${Date.now()}`;
      await runOnce(adminUrl, `create database ${name}`);
      // No `force`: all clients have stopped, and an autovacuum, which `force` may not terminate, yields by itself.
      defer(() => runOnce(adminUrl, `drop database ${name}`));
      const url = new URL(adminUrl);
      url.pathname = name;
      if (!isEmpty) await migrate(url.href, log);
      return url.href;
    },
    async serviceEnv(databaseUrl) {
      const dataDir = await mkdtemp(join(tmpdir(), 'acs-bench-'));
      defer(() => rm(dataDir, { recursive: true, force: true }));
      return {
        PROFILE: 'embedded',
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        PORT: '0',
        RATE_LIMITS: unlimited,
        // As `npm start` and the image set it.
        MALLOC_ARENA_MAX: '2',
      };
    },
    async startService({ databaseUrl, env = {} }) {
      const service = await startProcess({
        args: [...profiling(options.profileDir), join(root, 'dist/service/main.js')],
        env: { ...(await bench.serviceEnv(databaseUrl)), ...env },
        portIn: (line) =>
          line.includes('Server listening at') ? portOf(/http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]) : null,
        processors,
      });
      defer(() => service.stop());
      return service;
    },
    async startFloor(file, env = {}) {
      const floor = await startProcess({
        args: [resolve(import.meta.dirname, '../floors', file)],
        env,
        portIn: (line) => portOf(/^\{"port":(\d+)\}$/.exec(line)?.[1]),
        processors,
      });
      defer(() => floor.stop());
      return floor;
    },
  };
  const close = async () => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
  };
  return { bench, close };
}

const profiling = (dir: string | null): string[] => (dir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${dir}`]);

const portOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
