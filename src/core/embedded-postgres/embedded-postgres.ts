import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { withDirectoryLock } from './directory-lock.ts';
import { attachServer, type Attachment, type ServerSite } from './postgres-attach.ts';
import { locatePostgresBinaries } from './postgres-binaries.ts';
import { checkVersion, createCluster, findCluster, removeDrafts } from './postgres-cluster.ts';
import { asStartError } from './postgres-failures.ts';
import { closeKeeper, connectKeeper, countOthers, serviceUrl } from './postgres-keeper.ts';
import { findServer, stopServer } from './postgres-server.ts';

/** A PostgreSQL server that this process uses. */
export interface EmbeddedPostgres {
  /** URL of the service's own database. It does not change while the process uses the server. */
  url: string;
  /** Stops the server unless another process uses it. Safe to call twice; close the pools first. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** Data folder of the service. The cluster is in its subfolder `postgres/`, which is created if it does not exist. */
  dataDir: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Environment variables of the server's processes. */
  env?: NodeJS.ProcessEnv;
  /** PostgreSQL settings that override the built-in ones. */
  settings?: Record<string, string>;
  /** Ends the start when it is aborted. It does not stop a server that has started. */
  stopSignal?: AbortSignal | undefined;
}

const lockTimeoutMs = 120_000;
const longestPauseMs = 5_000;
const steadyMs = 5_000;

/**
 * Starts the PostgreSQL server of a data folder, or attaches to one that runs on it already: one that another process
 * started, or one that outlived a killed process. The last process to stop stops the server. A server that dies is
 * restarted on the same port.
 * @throws StartError for problems that an operator can solve: no binaries for this platform, missing permissions, a
 * full disk …
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  env = {},
  settings = {},
  stopSignal = new AbortController().signal,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const binaries = await locatePostgresBinaries();
    await mkdir(dataDir, { recursive: true });
    const folder = await realpath(dataDir);
    const home = join(folder, 'postgres');
    const start = async () => {
      stopSignal.throwIfAborted();
      await removeDrafts(home);
      const cluster = (await findCluster(home)) ?? (await createCluster(home, binaries, env));
      await checkVersion(cluster);
      const site: ServerSite = { cluster, binaries, settings, env, log };
      return keepRunning(site, folder, await attachServer(site, { port: null, signal: stopSignal }));
    };
    return await withDirectoryLock(folder, lockTimeoutMs, start, stopSignal);
  } catch (error) {
    throw asStartError(error, dataDir);
  }
}

function keepRunning(site: ServerSite, folder: string, first: Attachment): EmbeddedPostgres {
  const aborter = new AbortController();
  const { cluster, log } = site;
  const { port } = first.server;
  let attachment = first;
  let recovery = Promise.resolve();
  let stopped: Promise<void> | null = null;

  const watch = (startedMs: number) =>
    attachment.keeper.client.once('end', () => {
      if (!aborter.signal.aborted) recovery = recover(performance.now() - startedMs < steadyMs ? 500 : 0);
    });

  async function recover(firstPauseMs: number): Promise<void> {
    log.error({ pid: attachment.server.pid }, 'PostgreSQL stopped, restarting it');
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2 || 100)) {
      try {
        await sleep(pauseMs, undefined, { signal: aborter.signal });
        attachment = await withDirectoryLock(folder, lockTimeoutMs, () =>
          attachServer(site, { port, signal: aborter.signal }),
        );
        if (attachment.server.port !== port)
          log.error({ port: attachment.server.port }, 'PostgreSQL moved to another port; restart the service');
        watch(performance.now());
        return;
      } catch (error) {
        if (aborter.signal.aborted) return;
        log.error({ err: error }, 'PostgreSQL is still down');
      }
    }
  }

  async function stop(): Promise<void> {
    aborter.abort();
    await recovery;
    await withDirectoryLock(folder, lockTimeoutMs, async () => {
      const others = await countOtherProcesses();
      await closeKeeper(attachment.keeper);
      const server = await findServer(cluster);
      if (others > 0) log.info({ others }, 'PostgreSQL stays up for other processes');
      else if (server) await stopServer(server.pid, cluster);
    });
    process.off('exit', stopAbruptly);
  }

  /** Returns 0 for a server that does not respond: it is of no use to other processes either. */
  async function countOtherProcesses(): Promise<number> {
    try {
      const visitor = await connectKeeper(cluster, attachment.server.port, 3_000);
      const others = await countOthers(visitor, [visitor.name, attachment.keeper.name]);
      await closeKeeper(visitor);
      return others;
    } catch {
      return 0;
    }
  }

  /**
   * Stops the server when the process exits without `stop()`, where nothing can be awaited. Other processes restart the
   * server if they need it.
   */
  function stopAbruptly(): void {
    try {
      if (attachment.alone) process.kill(attachment.server.pid, 'SIGINT');
    } catch {
      // The server is gone already.
    }
  }

  watch(0);
  process.once('exit', stopAbruptly);
  return { url: serviceUrl(cluster, port), stop: () => (stopped ??= stop()) };
}
