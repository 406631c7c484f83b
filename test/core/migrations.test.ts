import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/core/process/log.ts';
import { migrate } from '../../src/core/database/migrate.ts';
import { type ListedMigration, migrations } from '../../src/migrations/migrations.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

/** Migrations from before the first release, which never ran next to an instance of another release. */
const baseline = new Set(migrations.slice(0, 12).map(({ name }) => name));

const takingAway: [RegExp, string][] = [
  [/\bdrop\s+(table|column|view|type|function|schema)\b/, 'drops what instances of before use'],
  [/\brename\b/, 'renames what instances of before use'],
  [/\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/, 'changes the type of a column'],
  [/\bset\s+not\s+null\b/, 'refuses what instances of before write'],
  [/\badd\s+column\b(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/, 'adds a column that instances of before do not fill'],
  [/\badd\s+(constraint|check|unique|primary|foreign)\b/, 'refuses what instances of before write'],
  [/\bcreate\s+unique\s+index\b/, 'refuses what instances of before write'],
  [/\b(truncate|delete\s+from)\b/, 'removes rows'],
];

/** Removes function bodies, which do not run during the migration, unlike `do` blocks. */
const functionBody = /(\bcreate\s+(?:or\s+replace\s+)?function\b[^$]*)(\$\w*\$)[\s\S]*?\2/g;

/** Returns statements that break instances of the previous release. Tables that the migration creates are exempt. */
function contractions(statements: readonly string[]): string[] {
  const parts = statements.flatMap((statement) =>
    statement.toLowerCase().replaceAll(/--.*$/gm, '').replaceAll(functionBody, '$1').split(';'),
  );
  const own = new Set(parts.map((part) => /create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(part)?.[1]));
  const foreign = parts.filter((part) => {
    const table = /\b(?:alter table|on)\s+(?:only\s+|if exists\s+)?(\w+)/.exec(part)?.[1];
    return !/^\s*create (?:unlogged )?table/.test(part) && !(table && own.has(table));
  });
  return foreign.flatMap((part) => takingAway.filter(([form]) => form.test(part)).map(([, why]) => why));
}

const statementsOf = ({ class: Listed }: ListedMigration): string[] => {
  const migration = new Listed(...([null, null] as unknown as ConstructorParameters<typeof Listed>));
  void migration.up();
  return migration.getQueries().map(String);
};

describe('migrations', () => {
  test('only add, unless they name the last release that used what they remove', () => {
    const unmarked = migrations
      .filter(({ name, contracts }) => !baseline.has(name) && !contracts)
      .map((migration) => ({ name: migration.name, why: contractions(statementsOf(migration)) }));
    expect(unmarked.filter(({ why }) => why.length > 0)).toEqual([]);
    expect(statementsOf(migrations[0] as ListedMigration).length).toBeGreaterThan(0);
  });

  test.each([
    'alter table users drop column bio',
    'alter table users rename column bio to about',
    'alter table users alter column bio type varchar(10)',
    'alter table users alter column bio set not null',
    'alter table users add column x text not null',
    "alter table users add constraint x check (bio <> '')",
    'create unique index x on users (bio)',
    'create table x (id text); drop table users',
    'delete from tasks',
    'drop table partitions.outbox_events_20260101',
    'delete from partitions.agent_day_users_default',
    'do $$ begin delete from tasks; end $$',
    'create function f() returns void language sql as $$ select 1 $$; drop table users',
  ])('that remove are distinguished from those that add: %s', (statement) => {
    expect(contractions([statement])).toHaveLength(1);
  });

  test.each([
    'alter table users add column x text',
    "alter table users add column x text not null default '', add column y integer",
    'create index x on users (bio)',
    'create function f() returns void language plpgsql as $$ begin drop table partitions.x; delete from tasks; end $$',
    'create table x (id text primary key, y text not null); create unique index z on x (y); alter table x add check (y <> id)',
    'alter table users alter column bio drop not null',
  ])('that add are not suspected: %s', (statement) => {
    expect(contractions([statement])).toEqual([]);
  });
});

class NextRelease extends Migration {
  override up(): void {
    this.addSql('alter table users add column from_the_next_release text');
  }
}

describe('a migration beside running instances', () => {
  const log = createLogger('silent');
  const next = [...migrations, { name: 'migration-9999-next', class: NextRelease }];
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 3 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  test('yields to users of the table instead of blocking those behind it', async () => {
    const user = await pool.connect();
    await user.query('begin; select 1 from users');
    const migrated = migrate(database.url, log, next);
    const waiting = `select 1 from pg_locks where not granted and relation = 'users'::regclass`;
    await eventually(async () => (await pool.query(waiting)).rowCount === 1 || null, {
      what: 'the wait for the table',
    });
    await eventually(async () => (await pool.query(waiting)).rowCount === 0 || null, { what: 'the end of the wait' });
    await user.query('commit');
    user.release();
    await migrated;
    expect((await pool.query(`select from_the_next_release from users`)).rowCount).toBe(0);
  });

  test('does not keep an instance of the release before from starting', async () => {
    await migrate(database.url, log);
    expect((await pool.query(`select name from migrations where name = 'migration-9999-next'`)).rowCount).toBe(1);
  });
});
