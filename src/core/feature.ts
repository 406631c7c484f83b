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
 * Everything that a feature adds to the service beside its operations, as data. `src/app/features.ts` lists the features
 * in their order; whatever needs one of these lists reads it from the catalog that is made of them.
 *
 * A feature adds members of its own kind by declaration merging, as agents do with `onAgentDeleted`.
 */
export interface Feature {
  /** The name of its folder. */
  name: string;
  settings?: Settings;
  entities?: readonly EntityClass[];
  /** Keyed by the object of the id. */
  idPrefixes?: Readonly<Record<string, IdPrefix>>;
  scopes?: readonly Scope[];
  /** The event types that it publishes. */
  events?: Partial<EventEntries>;
  /** By limit and plan; `Infinity` is unlimited and shown as -1. */
  planLimits?: { readonly [Name in keyof PlanLimits]?: Readonly<Record<Plan, number>> };
  jobs?: readonly FeatureJob[];
  /** Loops that claim rows of their own beside the task runners. */
  engines?: readonly ((newCtx: () => Ctx) => Engine)[];
  /** Columns that are encrypted at rest, for re-encryption under the newest key. */
  encryptedColumns?: readonly EncryptedColumn[];
  /** Expired data that is removed every hour. */
  expiries?: readonly Expiry[];
  /** Its part of purging an account. */
  purge?: readonly PurgeStep[];
  /** Its files in a data export. */
  exportSections?: readonly ExportSection[];
  exportFiles?: readonly ExportFiles[];
  /** Gauges that `/metrics` computes from its rows. */
  gauges?: readonly GaugeGroup[];
  /** Its part of `npm run restored`. */
  restore?: readonly RestoreStep[];
}

/** The names of all plan limits; features merge theirs in. */
export interface PlanLimits {}

/** Work that claims rows of its own and runs by itself: the worker only wakes it when there may be some. */
export interface Engine {
  kinds: readonly string[];
  start(): void;
  wake(kind: string): void;
  stop(graceMs: number): Promise<void>;
}

/** Removes what has expired, in batches until nothing is left or `signal` fires; returns the number of rows. */
export interface Expiry {
  name: string;
  remove(ctx: Ctx, signal: AbortSignal): Promise<number>;
}

/** Number of removed things by kind. */
export type PurgeCounts = Record<string, number>;

/**
 * A part of purging an account that deleting rows does not cover: files, vectors, what other services keep. The rows
 * still exist when it runs. It may run again after a crash at any point, so a thing that is already gone is no error.
 */
export interface PurgeStep {
  name: string;
  purge(ctx: Ctx, userId: string, signal: AbortSignal): Promise<PurgeCounts>;
}

/**
 * One JSON file of a data export. The statement returns the rows as they are written to the file, in snake_case, without
 * secrets: $1 is the user's id; the rows after ($2 `created_at`, $3 `id`) in that order, at most $4 of them.
 */
export interface ExportSection {
  /** `agents.json`. */
  path: string;
  statement: Statement;
}

/** An uploaded original. */
export interface ExportedFile {
  /** Sanitized before it becomes a name in the archive. */
  name: string;
  /** In the file store. */
  key: string;
}

/** Lists the uploads of an account. */
export type ExportFiles = (ctx: Ctx, userId: string) => AsyncIterable<ExportedFile>;

/**
 * One statement that runs on a database restored from a backup, before an instance starts on it: it holds back what was
 * in flight when the backup was made and has been sent since. All steps share one transaction.
 */
export interface RestoreStep {
  /** What its rows are counted as in the log; uncounted when omitted. */
  counts?: string;
  sql: string;
}

/** Gauges of what is stored in the database, read together by one call; any instance reports them for all. */
export interface GaugeGroup {
  gauges: Readonly<Record<string, { help: string; labels?: readonly string[] }>>;
  read(ctx: Ctx): Promise<readonly GaugeSample[]>;
}

export interface GaugeSample {
  name: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}
