import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sqlState } from '../database-errors.ts';
import { StartError } from '../../process/start-error.ts';
import { addForeignKeys, buildIndexes, validateForeignKeys } from './build-keys.ts';
import { copyRows } from './copy-rows.ts';
import { withLocks } from './in-transaction.ts';
import { replayChanges } from './replay-changes.ts';
import { progressOf, stageTable } from './stage-tables.ts';
import { beforeName, swapTables, validateReferences } from './swap-tables.ts';
import { type AccountTable, describeTable, schema, staging, storageOf } from './tables.ts';

/** Receives lines that report the progress. */
export type ReportProgress = (line: string) => void;

export interface Conversion {
  url: string;
  /** Tables to convert together. A table must come after the tables that it references. */
  tables: readonly string[];
  say: ReportProgress;
}

const insufficientPrivilege = '42501';
const lockKey = 727_011;
const lockTries = 60;
const betweenTriesMs = 500;

/**
 * Runs `work` on a separate connection while no other conversion runs.
 * @throws StartError when another conversion runs for half a minute
 */
async function alone<Result>(url: string, work: (db: pg.Client) => Promise<Result>): Promise<Result> {
  const db = new pg.Client({ connectionString: url, application_name: 'agent-chat-service partition' });
  // The statement that is running reports the failure.
  db.on('error', () => undefined);
  await db.connect();
  try {
    await db.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`);
    await db.query(
      `select set_config('maintenance_work_mem', '256MB', false)
       where pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('256MB')`,
    );
    // The session of a killed process keeps the lock until its statement ends.
    for (let tries = 1; ; tries++) {
      const { rows } = await db.query<{ free: boolean }>(`select pg_try_advisory_lock(${lockKey}) as free`);
      if (rows[0]?.free) break;
      if (tries === lockTries) throw new StartError('Another process is partitioning this database.');
      await sleep(betweenTriesMs);
    }
    return await work(db);
  } catch (error) {
    if (sqlState(error) !== insufficientPrivilege) throw error;
    const needed = 'The role of DATABASE_URL may not create schemas in this database. Run this as its owner.';
    throw new StartError(needed, { cause: error });
  } finally {
    await db.end();
  }
}

/** Result of a conversion. */
export interface Converted {
  rows: number;
  /** How long writers had to wait, in milliseconds. */
  lockedMs: number;
}

/**
 * Divides tables into hash partitions by account while the service runs. Resumes a conversion that was interrupted. The
 * original tables are kept until `dropBefore`. Returns null when the tables are partitioned already.
 * @throws StartError when it cannot run
 */
export const convertToPartitions = (conversion: Conversion, partitions: number): Promise<Converted | null> =>
  alone(conversion.url, async (db) => {
    const { tables: names, say } = conversion;
    const storages = [];
    for (const name of names) storages.push(await storageOf(db, name));
    if (storages.every(({ isPartitioned }) => isPartitioned)) {
      say(`The tables are divided into ${storages[0]?.partitions} partitions already.`);
      await validateReferences(db, names);
      return null;
    }
    const converted = await convert(db, conversion, partitions);
    say(`Swapped the tables; writers waited ${Math.round(converted.lockedMs)} ms.`);
    await validateReferences(db, names);
    for (const name of names) await db.query(`analyze public.${name}`);
    say(`The original tables are kept as ${names.map((name) => `${schema}.${beforeName(name)}`).join(' and ')}.`);
    return converted;
  });

async function convert(db: pg.Client, { tables: names, say }: Conversion, partitions: number): Promise<Converted> {
  const tables: AccountTable[] = [];
  for (const name of names) tables.push(await describeTable(db, name));
  for (const table of tables) {
    const begun = await progressOf(db, table.name);
    if (!begun) await withLocks(db, () => stageTable(db, table, partitions));
    else requireSame(begun, table, partitions);
  }
  // Safe: a batch that a crash of PostgreSQL loses is copied again.
  await db.query('set synchronous_commit = off');
  let rows = 0;
  for (const table of tables) rows += await copyRows(db, table, reportCopied(table.name, say));
  for (const table of tables) await buildIndexes(db, table, partitions, say);
  await replayChanges(db, tables);
  const parts = { partitions, together: names };
  for (const table of tables) await addForeignKeys(db, table, parts);
  // The first pass removes rows that were deleted before the foreign keys existed. The second one copies new rows that
  // the last table references.
  await replayChanges(db, tables);
  await replayChanges(db, tables.slice(0, -1));
  for (const table of tables) await validateForeignKeys(db, table, parts);
  say('Checked the foreign keys.');
  return { rows, lockedMs: await swapTables(db, tables) };
}

function requireSame(begun: { partitions: number; columns: string[] }, table: AccountTable, partitions: number): void {
  if (begun.partitions !== partitions)
    throw new StartError(`A conversion into ${begun.partitions} partitions has begun. Use that number, or --cancel.`);
  if (begun.columns.join() !== table.columns.join())
    throw new StartError(
      `A migration has changed the table ${table.name} meanwhile. Run this with --cancel, then again.`,
    );
}

const reportMs = 5_000;

function reportCopied(name: string, say: ReportProgress): (copied: number) => void {
  const startedMs = performance.now();
  let saidMs = startedMs;
  let first: number | undefined;
  return (copied) => {
    first ??= copied;
    const nowMs = performance.now();
    if (nowMs - saidMs < reportMs) return;
    saidMs = nowMs;
    const rate = Math.round(((copied - first) / (nowMs - startedMs)) * 1_000);
    say(`${name}: copied ${copied.toLocaleString('en')} rows, ${rate.toLocaleString('en')} a second`);
  };
}

/** Drops the original tables that a conversion has kept. */
export const dropBefore = ({ url, tables, say }: Conversion): Promise<void> =>
  alone(url, async (db) => {
    const names = tables.toReversed().map((name) => `${schema}.${beforeName(name)}`);
    for (const name of names) await withLocks(db, () => db.query(`drop table if exists ${name}`));
    say(`Dropped ${names.join(' and ')}.`);
  });

/** Cancels a conversion that has not swapped the tables yet, and removes everything that it has created. */
export const cancelConversion = ({ url, tables, say }: Conversion): Promise<void> =>
  alone(url, async (db) => {
    await withLocks(db, async () => {
      for (const name of tables) await db.query(`drop trigger if exists ${name}_note_change on public.${name}`);
      await db.query(`drop schema if exists ${staging} cascade`);
    });
    say('Rolled back the conversion. The tables are unchanged.');
  });
