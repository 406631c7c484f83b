import pg from 'pg';
import { createTexts } from '../bench/lab/texts.ts';
import { buildIndexes, dropIndexes, largeFill } from './late-indexes.ts';
import { busyAgentId, ownerId, readerAgentId, type SeedPart, textCount } from './part.ts';

/** Reports what was written so far. */
export type ReportProgress = (line: string) => void;

interface FillOptions {
  /** The longest text. */
  maxWords?: number;
  /** Connections that write parts whose batches are independent. */
  writers?: number;
}

/**
 * Fills a migrated database with rows of the parts, up to the given numbers. A seed that was interrupted, or has to grow,
 * continues where it is.
 */
export async function fill(
  url: string,
  wanted: ReadonlyMap<SeedPart, number>,
  say: ReportProgress,
  { maxWords, writers = 1 }: FillOptions = {},
): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  const others = Array.from({ length: writers - 1 }, () => new pg.Client({ connectionString: url }));
  const all = [db, ...others];
  for (const client of all) await client.connect();
  try {
    await createSeedSchema(db);
    const texts = createTexts(textCount, maxWords);
    for (const client of all) await prepareSession(client, texts);
    await addOwner(db);
    for (const [part, count] of wanted) await fillPart(all, part, count, say);
    await buildIndexes(db);
  } finally {
    for (const client of all) await client.end();
  }
}

async function createSeedSchema(db: pg.Client): Promise<void> {
  await db.query(`
    create schema if not exists seed;
    create table if not exists seed.progress (part text primary key, done bigint not null);
    create table if not exists seed.late_indexes (name text primary key, definition text not null);
    -- With the row in front, as ids of rows that were written one after the other.
    create or replace function seed.uuid(kind text, n bigint) returns text language sql immutable as $$
      select lpad(to_hex(n >> 16), 8, '0') || '-' || lpad(to_hex(n & 65535), 4, '0') || '-7' || substr(h, 1, 3) || '-8'
        || substr(h, 4, 3) || '-' || substr(h, 7, 12)
      from md5(kind || n) h
    $$`);
}

async function prepareSession(db: pg.Client, texts: readonly string[]): Promise<void> {
  await db.query(`set statement_timeout = 0; set synchronous_commit = off; set maintenance_work_mem = '1GB'`);
  await db.query(`create temporary table seed_texts (number bigint primary key, content text not null)`);
  await db.query(`insert into seed_texts select n, content from unnest($1::text[]) with ordinality as t (content, n)`, [
    texts,
  ]);
  await db.query('analyze seed_texts');
}

async function addOwner(db: pg.Client): Promise<void> {
  await db.query(
    `insert into users (id, email, username, password_hash, plan, created_at, updated_at)
     values ($1, 'seed@example.com', 'seed', 'none', 'creator', now(), now()) on conflict do nothing`,
    [ownerId],
  );
  for (const [id, name] of [
    [busyAgentId, 'Busy'],
    [readerAgentId, 'Reader'],
  ])
    await db.query(
      `insert into agents (id, owner_id, name, instructions, model, created_at, updated_at)
       values ($1, $2, $3, 'Be brief.', 'default', now(), now()) on conflict do nothing`,
      [id, ownerId, name],
    );
}

const readDone = `select done from seed.progress where part = $1`;
const noteDone = `insert into seed.progress values ($1, $2) on conflict (part) do update set done = excluded.done`;

async function fillPart(
  writers: readonly pg.Client[],
  part: SeedPart,
  count: number,
  say: ReportProgress,
): Promise<void> {
  const [db] = writers as [pg.Client];
  let done = await countDone(db, part);
  if (done >= count) return say(`${part.name}: ${done.toLocaleString('en')} ${part.what} are there`);
  const startedAt = performance.now();
  await part.prepare(db);
  if (part.lateIndexes && count - done > largeFill) await dropIndexes(db, part.lateIndexes);
  while (done < count) {
    done = await writeBatches(writers, part, done, count);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    say(`${part.name}: ${done.toLocaleString('en')} of ${count.toLocaleString('en')} after ${seconds} s`);
  }
  for (const table of part.tables) await db.query(`vacuum analyze ${table}`);
}

/** Writes a batch with each connection, and notes how far the part is. One batch alone is a transaction with its note. */
async function writeBatches(
  writers: readonly pg.Client[],
  part: SeedPart,
  done: number,
  count: number,
): Promise<number> {
  const [db] = writers as [pg.Client];
  const endOf = (start: number): number => Math.min(start + part.batchSize, count);
  if (!part.isIndependent) {
    await db.query('begin');
    await part.write(db, done + 1, endOf(done));
    await db.query(noteDone, [part.name, endOf(done)]);
    await db.query('commit');
    return endOf(done);
  }
  const batches = writers
    .map((writer, n) => ({ writer, start: done + n * part.batchSize }))
    .filter(({ start }) => start < count);
  await Promise.all(batches.map(({ writer, start }) => part.write(writer, start + 1, endOf(start))));
  const through = endOf(done + (batches.length - 1) * part.batchSize);
  await db.query(noteDone, [part.name, through]);
  return through;
}

/** Returns how many rows of a part a database has. */
export async function countDone(db: pg.Client, part: SeedPart): Promise<number> {
  const { rows } = await db.query<{ done: string }>(readDone, [part.name]).catch(() => ({ rows: [] }));
  return Number(rows[0]?.done ?? 0);
}

/** Resets the progress of parts whose rows were removed. */
export const forget = (db: pg.Client, parts: readonly SeedPart[]): Promise<unknown> =>
  db.query(`delete from seed.progress where part = any ($1)`, [parts.map(({ name }) => name)]);
