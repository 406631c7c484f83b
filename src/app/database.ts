import type { Logger } from 'pino';
import type { Config } from '../core/config/config.ts';
import { type DatabaseUrls, requireDatabase } from '../core/database/pooler.ts';
import { startEmbeddedPostgres } from '../core/embedded-postgres/embedded-postgres.ts';
import { unlessAborted } from '../core/waiting/unless-aborted.ts';

export interface StartedDatabase extends DatabaseUrls {
  /** Number of connections for requests. */
  poolSize: number;
  waitMs: number;
  stop(): Promise<void>;
}

const poolSize = 20;
/**
 * Pool size behind a pooler in session mode. PgBouncer's default is 20 sessions, of which notifications, the schedule
 * and the heartbeat use three.
 */
const poolSizeOfSessions = 14;

/**
 * Connects to the configured database, or starts the embedded server. Rejects soon after `stopSignal` is aborted, and
 * then leaves no server running that it has started.
 * @throws StartError when it cannot be used
 */
export async function startDatabase(config: Config, log: Logger, stopSignal?: AbortSignal): Promise<StartedDatabase> {
  const waitMs = config.databaseWaitMs;
  if (!config.databaseUrl) {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log, stopSignal });
    const { url } = embedded;
    return { url, directUrl: url, poolSize: config.databasePoolSize ?? poolSize, waitMs, stop: () => embedded.stop() };
  }
  const urls = { url: config.databaseUrl, directUrl: config.databaseDirectUrl ?? config.databaseUrl };
  const pooling = await unlessAborted(requireDatabase(urls), stopSignal);
  const suitable = pooling === 'session' ? poolSizeOfSessions : poolSize;
  return { ...urls, poolSize: config.databasePoolSize ?? suitable, waitMs, stop: async () => undefined };
}
