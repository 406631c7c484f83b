import pg from 'pg';
import { createTexts } from '../bench/lab/texts.ts';
import { buildIndexes, dropIndexes, largeFill } from './late-indexes.ts';
import { busyAgentId, ownerId, readerAgentId, type SeedPart, textCount } from './part.ts';

/** Reports what was written so far. */
export type ReportProgress = (line: string) => void;

/**
 * Fills a migrated database with rows of the parts, up to the given numbers. Each batch is a transaction that notes how far
 * its part is, so that a seed that was interrupted, or has to grow, continues there. `maxWords` bounds the texts.
 */
export async function fill(
  url: string,
  wanted: ReadonlyMap<SeedPart, number>,
  say: ReportProgress,
  { maxWords }: { maxWords?: number } = {},
): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    await prepare(db, maxWords);
    for (const [part, count] of wanted) await fillPart(db, part, count, say);
    await buildIndexes(db);
  } finally {
    await db.end();
  }
}

async function prepare(db: pg.Client, maxWords?: number): Promise<void> {
  await db.query(`set statement_timeout = 0; set synchronous_commit = off; set maintenance_work_mem = '256MB'`);
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
  await db.query(`create temporary table seed_texts (number bigint primary key, content text not null)`);
  await db.query(`insert into seed_texts select n, content from unnest($1::text[]) with ordinality as t (content, n)`, [
    createTexts(textCount, maxWords),
  ]);
  await db.query('analyze seed_texts');
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

async function fillPart(db: pg.Client, part: SeedPart, count: number, say: ReportProgress): Promise<void> {
  const { rows } = await db.query<{ done: string }>(readDone, [part.name]);
  let done = Number(rows[0]?.done ?? 0);
  if (done >= count) return say(`${part.name}: ${done.toLocaleString('en')} ${part.what} are there`);
  const startedAt = performance.now();
  await part.prepare(db);
  if (part.lateIndexes && count - done > largeFill) await dropIndexes(db, part.lateIndexes);
  while (done < count) {
    const through = Math.min(done + part.batchSize, count);
    await db.query('begin');
    await part.write(db, done + 1, through);
    await db.query(noteDone, [part.name, through]);
    await db.query('commit');
    done = through;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    say(`${part.name}: ${done.toLocaleString('en')} of ${count.toLocaleString('en')} after ${seconds} s`);
  }
  for (const table of part.tables) await db.query(`vacuum analyze ${table}`);
}

/** How many rows of a part a database has. */
export async function countDone(db: pg.Client, part: SeedPart): Promise<number> {
  const { rows } = await db.query<{ done: string }>(readDone, [part.name]).catch(() => ({ rows: [] }));
  return Number(rows[0]?.done ?? 0);
}

/** Forgets how far parts are, because their rows were removed. */
export const forget = (db: pg.Client, parts: readonly SeedPart[]): Promise<unknown> =>
  db.query(`delete from seed.progress where part = any ($1)`, [parts.map(({ name }) => name)]);
