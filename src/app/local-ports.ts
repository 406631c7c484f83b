import type { Logger } from 'pino';
import type { Config } from '../core/config/config.ts';
import type { Ports } from '../core/ctx.ts';
import type { Database } from '../core/database/database.ts';
import { openReplica } from '../core/database/replica.ts';
import type { Sessions } from '../core/database/sessions.ts';
import { createSafeFetch } from '../core/http/safe-fetch.ts';
import { createRateLimits, type RateLimits } from '../core/http/rate-limits.ts';
import { createFairQueue } from '../core/waiting/fair-queue.ts';
import { createImageEncoder } from '../images/encoding/encoder.ts';
import type { Lifecycle } from './lifecycle.ts';

interface Parts {
  config: Config;
  log: Logger;
  database: Database;
  sessions: Sessions;
  lifecycle: Lifecycle;
  /** Replaces the rate limits in the database. */
  rateLimits: RateLimits | undefined;
}

type LocalPorts = Pick<Ports, 'replica' | 'rateLimits' | 'generationQueue' | 'imageEncoder' | 'pictureFetch'>;

/** Creates the ports that have no vendor, and stops them with the service. */
export function createLocalPorts({ config, log, database, sessions, lifecycle, rateLimits }: Parts): LocalPorts {
  const imageEncoder = createImageEncoder(log);
  lifecycle.onStop('image encoder', () => imageEncoder.stop());
  const pictureFetch = createSafeFetch({ allowPrivate: config.webhooks.allowPrivate, maxConnectionsPerOrigin: 4 });
  lifecycle.onStop('picture fetcher', () => pictureFetch.close());
  const { databaseReplicaUrl: url } = config;
  const { pool: primary } = database;
  const replica = url === null ? null : openReplica({ url, poolSize: primary.options.max, primary, sessions, log });
  if (replica) lifecycle.onStop('replica connections', () => replica.close());
  return {
    replica,
    rateLimits: rateLimits ?? createRateLimits(database.pool),
    generationQueue: createFairQueue({
      total: config.generationLimits.perInstance,
      perAccount: config.generationLimits.perAccountAtOnce,
    }),
    imageEncoder,
    pictureFetch,
  };
}
