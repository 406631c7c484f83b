import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { waitUntil } from '../waiting/wait-until.ts';
import type { Cluster } from './postgres-cluster.ts';
import { isPostgresOf, postgresesOf } from './server-processes.ts';
import { chooseServerUser, commandAs, changeOwner } from './postgres-user.ts';

/** A postmaster that serves a cluster. This or another process has started it. */
export interface RunningServer {
  pid: number;
  port: number;
}

const host = '127.0.0.1';
const largestLogBytes = 10 * 1024 * 1024;
const pollMs = 20;
const fastStopMs = 8_000;
const immediateStopMs = 3_000;

/**
 * Returns a sixteenth of the memory of the machine or the container, at least 128 MB and at most 1 GB. Pages are
 * allocated only when used.
 */
function sharedBuffersMb(): number {
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.min(1_024, Math.max(128, Math.floor(memoryBytes / 16 / 1_048_576)));
}

/** Settings that differ from PostgreSQL's defaults. Durability (fsync, synchronous_commit) is unchanged. */
const baseSettings = {
  listen_addresses: host,
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: `${sharedBuffersMb()}MB`,
  // Data is nearly always in the page cache here, so copying it costs less than asking an I/O worker process.
  io_method: 'sync',
  max_wal_size: '512MB',
  jit: 'off',
  shared_preload_libraries: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '%m [%p] ',
  // Content of users must not appear in the log, neither in a statement nor in the details of an error.
  log_statement: 'none',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Returns the server that runs on the cluster, or null. A stale `postmaster.pid` is ignored. */
export async function findServer({ dataDir, name }: Cluster): Promise<RunningServer | null> {
  const lines = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 && (await isPostgresOf(pid, name)) ? { pid, port } : null;
}

/**
 * Starts a postmaster in a session of its own, so that Ctrl-C does not stop it before the service has drained. Its
 * output is appended to the log of the cluster, which is rotated when it is large.
 * @returns the process id, and `exited`, which resolves with the output when the process ends
 */
export async function launchServer(
  cluster: Cluster,
  binaries: PostgresBinaries,
  port: number,
  options: { settings: Record<string, string>; env: NodeJS.ProcessEnv },
): Promise<RunningServer & { exited: Promise<string> }> {
  const user = await chooseServerUser(binaries, cluster.home, cluster.dataDir);
  await changeOwner(user, cluster.dataDir);
  const sizeBytes = await stat(cluster.logFile).then(
    ({ size }) => size,
    () => 0,
  );
  if (sizeBytes > largestLogBytes) await rename(cluster.logFile, `${cluster.logFile}.1`);
  const log = await open(cluster.logFile, 'a', 0o600);
  try {
    const { size } = await log.stat();
    const settings = Object.entries({
      ...baseSettings,
      ...options.settings,
      port: String(port),
      cluster_name: cluster.name,
    });
    const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [program, args, how] = commandAs(user, binaries.postgres, ['-D', cluster.dataDir, ...flags], options.env);
    const child = spawn(program, args, {
      ...how,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const exited = once(child, 'exit')
      .then(async () => (await readFile(cluster.logFile)).subarray(size).toString())
      .catch((error: unknown) => String(error));
    child.unref();
    return { pid: child.pid ?? 0, port, exited };
  } finally {
    await log.close();
  }
}

/**
 * Stops the server with a fast shutdown, and escalates to an immediate shutdown and SIGKILL when it does not stop in
 * time.
 */
export async function stopServer(pid: number, { name }: Cluster): Promise<void> {
  signal(pid, 'SIGINT');
  if (await isGone(pid, name, fastStopMs)) return;
  signal(pid, 'SIGQUIT');
  if (await isGone(pid, name, immediateStopMs)) return;
  signal(pid, 'SIGKILL');
  await killStaleProcesses(name);
}

/**
 * Cleans up after a postmaster that was killed, and returns its port. Its remaining processes are killed first: a new
 * postmaster refuses to start while an old backend is attached to the shared memory of the cluster. It also refuses
 * while the pid in `postmaster.pid` exists, even as a zombie that is never reaped (a container without an init) or as
 * an unrelated process. No process uses the cluster by then, so the file can be removed.
 */
export async function removeStaleServer({ dataDir, name }: Cluster): Promise<number | null> {
  await killStaleProcesses(name);
  const file = join(dataDir, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  await rm(file, { force: true });
  return Number(lines[3]) || null;
}

async function killStaleProcesses(name: string): Promise<void> {
  for (;;) {
    const pids = await postgresesOf(name);
    if (pids.length === 0) return;
    for (const pid of pids) signal(pid, 'SIGKILL');
    await sleep(pollMs);
  }
}

/** Returns `wanted` if that port is free on the loopback interface, or else any free port. */
export async function findFreePort(wanted: number | null): Promise<number> {
  return (wanted && (await tryPort(wanted))) || (await tryPort(0)) || 0;
}

const tryPort = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? null) : null));
    });
  });

const isGone = async (pid: number, name: string, timeoutMs: number): Promise<boolean> =>
  (await waitUntil(async () => !(await isPostgresOf(pid, name)), { timeoutMs, everyMs: pollMs })) !== null;

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process is gone already.
  }
}
