import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLogger } from '../../../src/core/process/log.ts';
import { migrate } from '../../../src/core/database/migrate.ts';
import { migrations } from '../../../src/migrations/migrations.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { sharedEnv } from './fault-harness.ts';
import { readSchema } from './read-schema.ts';

const main = fileURLToPath(new URL('../../../dist/src/main.js', import.meta.url));
const lockKey = 727_001;
const failpoints = new URL('../../support/failpoints.ts', import.meta.url).href;
let dataDir: string;
let whole: string[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'acs-migrations-'));
  const migrated = await createTestDatabase();
  whole = await readSchema(migrated.url);
  await migrated.drop();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Where the first of two instances is killed: before or after a migration, in a statement, in a commit. */
type Moment = { step: number } | { statement: number } | { commit: number };

const ends = migrations.length * 2;
/** Lower bound of the number of statements in all migrations. */
const statements = 100;
const random = (most: number): number => Math.ceil(Math.random() * most);
const quick: Moment[] = [
  { step: 2 },
  { step: random(ends) },
  { statement: random(10) },
  { statement: random(statements) },
  { commit: random(migrations.length) },
];
const long: Moment[] = [
  ...Array.from({ length: ends }, (_, i) => ({ step: i + 1 })),
  ...Array.from({ length: 20 }, () => ({ statement: random(statements) })),
  ...Array.from({ length: migrations.length }, (_, i) => ({ commit: i + 1 })),
];
const moments = countOf({ quick: 0, long: 1 }) ? long : quick;

const gateKey = 4_711;
/** Makes statements of the schema and ends of migrations wait while a session holds the gate. */
const gate = ({ statement = 0, commit = 0 }: { statement?: number; commit?: number }): string => `
  create schema gate;
  grant usage on schema gate to public;
  create sequence gate.statements;
  grant usage on sequence gate.statements to public;
  create function gate.pass() returns void language plpgsql as $$ begin
    while not pg_try_advisory_xact_lock_shared(${gateKey}) loop perform pg_sleep(0.005); end loop;
  end $$;
  create function gate.statement() returns event_trigger language plpgsql as $$ begin
    if nextval('gate.statements') = ${statement} then perform gate.pass(); end if;
  end $$;
  create event trigger gate on ddl_command_end execute function gate.statement();
  create function gate.commit() returns trigger language plpgsql as $$ begin
    if new.name = '${migrations[commit - 1]?.name}' then perform gate.pass(); end if;
    return null;
  end $$;
  create constraint trigger gate after insert on migrations deferrable initially deferred
    for each row execute function gate.commit();
  select setval('gate.statements', 1, false);`;
const noGate = `drop event trigger gate; drop trigger gate on migrations; drop schema gate cascade;`;

interface Empty {
  url: string;
  /** Runs a statement as the superuser. */
  db: pg.Pool;
  drop: () => Promise<void>;
}

async function createEmptyDatabase(): Promise<Empty> {
  const name = `migrated_${randomBytes(6).toString('hex')}`;
  const [own, all] = [inject('databaseUrl'), inject('superuserUrl')].map((given) => new URL(given)) as [URL, URL];
  const admin = new pg.Client({ connectionString: all.href });
  await admin.connect();
  await admin.query(`create database ${name} owner ${own.username}`);
  own.pathname = all.pathname = name;
  const db = new pg.Pool({ connectionString: all.href, max: 3 });
  db.on('error', () => undefined);
  return {
    url: own.href,
    db,
    drop: async () => {
      await db.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

const envOf = (url: string) => ({ ...sharedEnv, DATABASE_URL: url, DATA_DIR: dataDir });

/** Starts an instance that is not expected to become ready. */
function launch(url: string, moment: Moment): { child: ChildProcess; exited: Promise<NodeJS.Signals | number | null> } {
  const failpoint = 'step' in moment ? `migration_step:${moment.step}` : null;
  const child = spawn(process.execPath, [...(failpoint ? [`--import=${failpoints}`] : []), main], {
    env: {
      PATH: process.env['PATH'],
      PROFILE: 'embedded',
      LOG_LEVEL: 'silent',
      PORT: '0',
      ...(failpoint ? { FAILPOINT: failpoint } : {}),
      ...envOf(url),
    },
    stdio: 'ignore',
  });
  return { child, exited: once(child, 'exit').then(([code, signal]) => signal ?? code) };
}

const inThisDatabase = `locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
const locks = {
  first: `select 1 from pg_locks where ${inThisDatabase} and objid = ${lockKey} and granted`,
  second: `select 1 from pg_locks where ${inThisDatabase} and objid = ${lockKey} and not granted`,
};
const atTheGate = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;

/** Starts two instances on an empty database and kills the one that migrates. Returns how many migrations were done. */
async function round(moment: Moment): Promise<number> {
  const { url, db, drop } = await createEmptyDatabase();
  const isThere = async (query: string) => (await db.query(query)).rowCount !== 0;
  const keeper = await db.connect();
  try {
    // The table of finished migrations, which the gate watches.
    await migrate(url, createLogger('silent'), []);
    await db.query(gate('step' in moment ? {} : moment));
    await keeper.query('select pg_advisory_lock($1)', [gateKey]);
    const first = launch(url, moment);
    let isOver = false;
    void first.exited.then(() => (isOver = true));
    await eventually(async () => isOver || (await isThere(locks.first)), { what: 'the lock of the first' });
    const second = startServiceProcess(envOf(url));
    if (!('step' in moment)) {
      await eventually(() => isThere(atTheGate), { what: 'the first at the gate' });
      await eventually(() => isThere(locks.second), { what: 'the second behind the first' });
      first.child.kill('SIGKILL');
    }
    expect({ moment, end: await first.exited }).toEqual({ moment, end: 'SIGKILL' });
    const { rows } = await db.query<{ done: number }>('select count(*)::int as done from migrations');
    // A running statement outlives the process that sent it.
    await sleep(200);
    await keeper.query('select pg_advisory_unlock_all()');
    const survivor = await second;
    const again = await startServiceProcess(envOf(url));
    const { token } = await again.signUp();
    expect((await survivor.call('GET', '/v1/agents', { as: token })).status).toBe(200);
    await Promise.all([survivor.kill(), again.kill()]);
    await db.query(noGate);
    const done = await db.query<{ name: string }>('select name from migrations order by id');
    expect(done.rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    const found = new Set(await readSchema(url));
    expect({ moment, missing: whole.filter((line) => !found.has(line)) }).toEqual({ moment, missing: [] });
    return rows[0]!.done;
  } finally {
    keeper.release(true);
    await drop();
  }
}

test(
  'leaves no half schema when a migrator is killed: the other instance and the next start continue',
  async ({ task }) => {
    const doneAtKill: number[] = [];
    for (const moment of moments) doneAtKill.push(await round(moment));
    report(
      { task },
      {
        times: `${moments.length} kills`,
        checked: `${moments.length} × ${whole.length} parts of the schema, ${migrations.length} migrations, 2 instances each`,
        note: `migrations done at the kill: ${doneAtKill.join(', ')}`,
      },
    );
  },
  60_000 * moments.length,
);
