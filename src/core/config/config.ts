import type { NamedKey } from '../crypto.ts';
import type { RateLimitTable } from '../http/rate-limit-table.ts';

/**
 * Settings of a process: read once, validated and frozen. Features add theirs by declaration merging. Times are in
 * milliseconds unless their name says otherwise.
 */
export interface Config {
  profile: 'embedded' | 'production';
  role: 'all' | 'web' | 'worker';
  host: string;
  port: number;
  /** Base of all URLs that the service publishes, without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  /** URL that bypasses a transaction pooler. When null, `databaseUrl` is used. */
  databaseDirectUrl: string | null;
  /** URL of a streaming replica for lists, search and statistics. Null when there is no replica. */
  databaseReplicaUrl: string | null;
  /**
   * Number of connections for requests and jobs. When null, the number is chosen to suit the database or its pooler.
   */
  databasePoolSize: number | null;
  /** How long a request waits for a connection before it fails with 503, in milliseconds. */
  databaseWaitMs: number;
  mongodbUrl: string | null;
  trustProxy: boolean;
  /** How long a process that is shutting down keeps serving, so that load balancers can take it out of rotation. */
  drainMs: number;
  logLevel: string;
  introspection: boolean;
  /** Newest first: the first key signs or encrypts; all keys verify or decrypt. */
  authKeys: readonly NamedKey[];
  encryptionKeys: readonly NamedKey[];
  rateLimits: RateLimitTable;
  /** `file:` URL of a folder, or `s3://bucket/prefix`. */
  filesUrl: string;
  openai: {
    apiKey: string | null;
    baseUrl: string | null;
    firstDeltaTimeoutMs: number;
    idleTimeoutMs: number;
    /** Longest wait for text while the provider only shows that it is alive, for example while the model thinks. */
    textTimeoutMs: number;
  };
}
