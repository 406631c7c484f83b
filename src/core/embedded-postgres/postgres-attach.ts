import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sqlState } from '../database/database-errors.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { Cluster } from './postgres-cluster.ts';
import { describeFailure } from './postgres-failures.ts';
import { connectKeeper, countOthers, ensureServiceDatabase, type Keeper } from './postgres-keeper.ts';
import {
  removeStaleServer,
  findFreePort,
  findServer,
  launchServer,
  type RunningServer,
  stopServer,
} from './postgres-server.ts';
import { StartError } from '../process/start-error.ts';

/** Everything that is needed to run the server of a cluster. */
export interface ServerSite {
  cluster: Cluster;
  binaries: PostgresBinaries;
  settings: Record<string, string>;
  env: NodeJS.ProcessEnv;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** A server that responds, and this process's connection to it. */
export interface Attachment {
  server: RunningServer;
  keeper: Keeper;
  /** Whether no other process used the server at the time of attachment. */
  alone: boolean;
}

interface AttachOptions {
  /** The port that the server must use because clients know it; null for any port. */
  port: number | null;
  signal: AbortSignal;
}

const attempts = 5;
const pollMs = 25;
const silenceMs = 30_000;
const startingUp = '57P03';
const wrongPassword = '28P01';

/**
 * Connects to the server of the site, either the running one or a new one, and waits until it responds, which includes
 * crash recovery. When the signal ends the wait, a server that was launched for it is stopped. The caller holds the
 * directory lock.
 * @throws StartError when the server cannot be started or does not respond
 */
export async function attachServer(site: ServerSite, options: AttachOptions): Promise<Attachment> {
  const { cluster, log } = site;
  for (let attempt = 1; ; attempt++) {
    const running = await findServer(cluster);
    const launched = running ? null : await launch(site, options.port);
    const server = running ?? launched;
    if (!server) throw new Error('unreachable');
    const death: { output: string | null } = { output: null };
    if (launched) void noteDeath(launched.exited, death);
    const isAlive = async () => (launched ? death.output === null : (await findServer(cluster))?.pid === server.pid);
    const keeper = await connectWhenReady(site, server, isAlive, options.signal).catch(async (error: unknown) => {
      if (launched && options.signal.aborted) await stopServer(launched.pid, cluster);
      throw error;
    });
    if (keeper) {
      const others = await prepare(keeper, cluster);
      log.info(
        { pid: server.pid, port: server.port, others },
        running ? 'using the PostgreSQL that runs already' : 'PostgreSQL is up',
      );
      return { server, keeper, alone: others === 0 };
    }
    // Retry if the server that was running may have been shutting down, or if another process took the port or the
    // cluster first.
    const canHelp =
      running !== null || /address already in use|lock file [^\n]{1,200} already exists/i.test(death.output ?? '');
    if (!canHelp || attempt === attempts)
      throw new StartError(`${describeFailure(death.output ?? '', cluster.dataDir)}. Its log is ${cluster.logFile}.`);
  }
}

/** Creates the service's database. Returns how many other processes use the server. */
async function prepare(keeper: Keeper, cluster: Cluster): Promise<number> {
  try {
    await ensureServiceDatabase(keeper, cluster);
    return await countOthers(keeper, [keeper.name]);
  } catch (error) {
    void keeper.client.end().catch(() => undefined);
    throw error;
  }
}

async function noteDeath(exited: Promise<string>, death: { output: string | null }): Promise<void> {
  death.output = await exited;
}

async function launch({ cluster, binaries, settings, env }: ServerSite, wanted: number | null) {
  // Processes that outlived a killed server expect it on its last port.
  const lastPort = await removeStaleServer(cluster);
  const port = await findFreePort(wanted ?? lastPort);
  if (wanted !== null && port !== wanted)
    throw new StartError(`Port ${wanted}, which PostgreSQL used before, is now used by another program.`);
  return launchServer(cluster, binaries, port, { settings, env });
}

/** Returns null when the server died before it responded. */
async function connectWhenReady(
  { cluster, log }: ServerSite,
  server: RunningServer,
  isAlive: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<Keeper | null> {
  let silentSinceMs = performance.now();
  let notedAtMs = performance.now();
  while (await isAlive()) {
    try {
      return await connectKeeper(cluster, server.port);
    } catch (error) {
      const state = sqlState(error);
      if (state === wrongPassword) {
        throw new StartError(
          `${join(cluster.home, 'password')} is not the password of the database beside it. Restore both together.`,
        );
      }
      if (state === startingUp) silentSinceMs = performance.now();
      if (performance.now() - silentSinceMs > silenceMs) {
        throw new StartError(
          `PostgreSQL (process ${server.pid}) does not answer on port ${server.port}. End it with \`kill -9 ${server.pid}\`, then start again.`,
          { cause: error },
        );
      }
      if (performance.now() - notedAtMs > 10_000) {
        notedAtMs = performance.now();
        log.warn({ pid: server.pid, reason: (error as Error).message }, 'waiting for PostgreSQL');
      }
    }
    await sleep(pollMs, undefined, { signal });
  }
  return null;
}
