import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../../src/core/embedded-postgres.ts';
import { migrate } from '../../../src/core/migrate.ts';
import type { Bench } from '../row.ts';
import { startProcess } from './processes.ts';

/** PostgreSQL for the whole run and, for each row, what the row may use. */
export interface Lab {
  /** Where servers run; null when they are not kept apart. */
  serverProcessors: string | null;
  openRow(): { bench: Bench; close(): Promise<void> };
  close(): Promise<void>;
}

interface LabOptions {
  isQuick: boolean;
  isLong: boolean;
  isReference: boolean;
  rounds: number;
  sliceMs: number;
  /** Where the service leaves a CPU profile when it stops; null for none. Profiling costs time of its own. */
  profileDir: string | null;
}

const root = resolve(import.meta.dirname, '../../..');
const log = pino({ level: 'error' });
const byPlan = { free: 1e7, plus: 1e7, pro: 1e7, creator: 1e7 };
const unlimited = JSON.stringify({ ...byPlan, anonymous: 1e7, tts: byPlan, stt: byPlan });

/**
 * Starts PostgreSQL (BENCH_DATABASE_URL, else an embedded one with its usual settings: it really writes to the disk).
 * Where there are processors for it, servers run on the first, PostgreSQL and the load on the others.
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

/** Children inherit it, PostgreSQL too. */
const pin = (pid: number, processors: string): boolean =>
  spawnSync('taskset', ['-a', '-p', '-c', processors, String(pid)], { stdio: 'ignore' }).status === 0;

async function startPostgres() {
  // Not where tests keep theirs: a commit has to reach a disk.
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
    async createDatabase() {
      const name = `bench_${process.pid}_${stops.length}_${Date.now()}`;
      await runOnce(adminUrl, `create database ${name}`);
      // Everything that used it has stopped, and a vacuum, which `force` has no right to end, gives way without.
      defer(() => runOnce(adminUrl, `drop database ${name}`));
      const url = new URL(adminUrl);
      url.pathname = name;
      await migrate(url.href, log);
      return url.href;
    },
    async serviceEnv(databaseUrl) {
      const dataDir = await mkdtemp(join(tmpdir(), 'acs-bench-'));
      defer(() => rm(dataDir, { recursive: true, force: true }));
      return { PROFILE: 'embedded', DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', RATE_LIMITS: unlimited };
    },
    async startService({ databaseUrl, env = {} }) {
      const service = await startProcess({
        args: [...profiling(options.profileDir), join(root, 'dist/src/main.js')],
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
