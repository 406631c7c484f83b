import type { NamedKey } from '../crypto.ts';
import type { RateLimitTable } from '../http/rate-limit-table.ts';

/**
 * Settings of a process, read once, checked, frozen; features merge theirs in. Times are milliseconds unless their name
 * says otherwise.
 */
export interface Config {
  profile: 'embedded' | 'production';
  role: 'all' | 'web' | 'worker';
  host: string;
  port: number;
  /** Base of the links that the service hands out, without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  /** The way around a transaction pooler; null: that of `databaseUrl`. */
  databaseDirectUrl: string | null;
  /** A streaming replica for lists, search and statistics; null: none. */
  databaseReplicaUrl: string | null;
  /** Connections for requests and jobs; null: a number that suits the database or its pooler. */
  databasePoolSize: number | null;
  /** How long a request waits for a connection before it is 503. */
  databaseWaitMs: number;
  mongodbUrl: string | null;
  trustProxy: boolean;
  /** How long a stopping process keeps serving, so that load balancers notice first. */
  drainMs: number;
  logLevel: string;
  introspection: boolean;
  /** Newest first: the first signs or encrypts, all of them verify or decrypt. */
  authKeys: readonly NamedKey[];
  encryptionKeys: readonly NamedKey[];
  rateLimits: RateLimitTable;
  /** `file:` URL of a folder, or `s3://bucket/prefix`. */
  filesUrl: string;
  openai: { apiKey: string | null; baseUrl: string | null; firstDeltaTimeoutMs: number; idleTimeoutMs: number };
}
