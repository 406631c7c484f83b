import type { EntityClass } from '@mikro-orm/postgresql';
import type { Settings } from './config/settings.ts';
import type { Plan, Scope } from './actor.ts';
import type { Ctx } from './ctx.ts';
import type { EncryptedColumn } from './database/re-encrypt.ts';
import type { Statement } from './database/sql.ts';
import type { IdPrefix } from './ids.ts';
import type { EventEntries } from './outbox.ts';
import type { FeatureJob } from './tasks/job.ts';

/**
 * Everything that a feature adds to the service besides its operations, as data. `src/app/features.ts` lists the
 * features in order. Code that needs one of these lists reads it from the catalog, which is created from them.
 *
 * A feature adds members of its own by declaration merging, as agents do with `onAgentDeleted`.
 */
export interface Feature {
  /** Name of the feature's folder. */
  name: string;
  settings?: Settings;
  entities?: readonly EntityClass[];
  /** Prefixes by the object that they identify. */
  idPrefixes?: Readonly<Record<string, IdPrefix>>;
  scopes?: readonly Scope[];
  /** Event types that the feature publishes. */
  events?: Partial<EventEntries>;
  /** Limits by name and plan. `Infinity` means unlimited and is shown as -1. */
  planLimits?: { readonly [Name in keyof PlanLimits]?: Readonly<Record<Plan, number>> };
  jobs?: readonly FeatureJob[];
  /** Loops that claim their own rows, in addition to the task runners. */
  engines?: readonly ((newCtx: () => Ctx) => Engine)[];
  /** Columns that are encrypted at rest, so that they can be re-encrypted with the newest key. */
  encryptedColumns?: readonly EncryptedColumn[];
  /** Expired data that is removed hourly. */
  expiries?: readonly Expiry[];
  /** Steps of this feature when an account is purged. */
  purge?: readonly PurgeStep[];
  /** Files of this feature in a data export. */
  exportSections?: readonly ExportSection[];
  exportFiles?: readonly ExportFiles[];
  /** Gauges that `/metrics` computes from the rows of this feature. */
  gauges?: readonly GaugeGroup[];
  /** Steps of this feature in `npm run restored`. */
  restore?: readonly RestoreStep[];
}

/** Names of all plan limits. Features add theirs by declaration merging. */
export interface PlanLimits {}

/** Work that claims its own rows and runs by itself. The worker only wakes it when there may be work. */
export interface Engine {
  kinds: readonly string[];
  start(): void;
  wake(kind: string): void;
  stop(graceMs: number): Promise<void>;
}

/** Removes expired data in batches until nothing is left or `signal` fires. Returns the number of removed rows. */
export interface Expiry {
  name: string;
  remove(ctx: Ctx, signal: AbortSignal): Promise<number>;
}

/** Number of removed items by kind. */
export type PurgeCounts = Record<string, number>;

/**
 * A step of purging an account that deleting rows does not cover: files, vectors, data in other services. The rows
 * still exist when it runs. It can run again after a crash at any point, so removing something that is gone already
 * must be a no-op.
 */
export interface PurgeStep {
  name: string;
  purge(ctx: Ctx, userId: string, signal: AbortSignal): Promise<PurgeCounts>;
}

/**
 * One JSON file of a data export. The statement returns the rows as they are written to the file, in snake_case,
 * without secrets. Parameters: $1 is the user's id, $2 and $3 are the `created_at` and `id` of the last row before this
 * page in that order, and $4 is the page size.
 */
export interface ExportSection {
  /** Path in the archive, such as `agents.json`. */
  path: string;
  statement: Statement;
  /** Number of rows that are read together. Default 200; fewer where a row may be large. */
  pageSize?: number;
}

/** An uploaded file. */
export interface ExportedFile {
  /** File name, which is sanitized before it is used in the archive. */
  name: string;
  /** Key in the file store. */
  key: string;
}

/** Lists the uploaded files of an account. */
export type ExportFiles = (ctx: Ctx, userId: string) => AsyncIterable<ExportedFile>;

/**
 * A statement that runs on a database restored from a backup before an instance starts on it. It holds back work that
 * was in flight at the time of the backup and has been sent since. All steps share one transaction.
 */
export interface RestoreStep {
  /** Name in the log for the number of affected rows. When omitted, they are not counted. */
  counts?: string;
  sql: string;
}

/** Gauges of data in the database, read together by one call. Any instance reports them for all instances. */
export interface GaugeGroup {
  gauges: Readonly<Record<string, { help: string; labels?: readonly string[] }>>;
  read(ctx: Ctx): Promise<readonly GaugeSample[]>;
}

export interface GaugeSample {
  name: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}
