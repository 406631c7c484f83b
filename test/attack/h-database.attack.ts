import pg from 'pg';
import { expect } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';

const lab = openLab();

/** Statements beyond the database itself, which no serving role may execute, owner or not. */
const beyond = [
  `copy (select 1) to program 'true'`,
  `copy users from program 'true'`,
  `copy (select 1) to '/tmp/attacked'`,
  `copy tasks from '/etc/passwd'`,
  `select pg_read_file('/etc/passwd')`,
  `select pg_ls_dir('/')`,
  `select lo_import('/etc/passwd')`,
  `select lo_export(1, '/tmp/attacked')`,
  'select rolpassword from pg_authid',
  'select * from pg_shadow',
  'set role postgres',
  'set session authorization postgres',
  `set session_replication_role = 'replica'`,
  `alter system set fsync = off`,
  'select pg_reload_conf()',
  'create role eve superuser',
  'alter role current_user superuser',
  'alter role current_user createrole bypassrls replication',
  'grant postgres to current_user',
  'create extension dblink',
  'create extension file_fdw',
  'create extension adminpack',
  `create function f() returns int language c as '/lib/x86_64-linux-gnu/libc.so.6', 'system'`,
  `load '/tmp/attacked.so'`,
  `create subscription s connection 'host=127.0.0.1' publication p`,
  `update pg_authid set rolsuper = true`,
  `delete from pg_proc`,
];

/** Statements on the schema and on objects of other roles. */
const ofTheOwner = [
  'create table x (id int)',
  'create temp table x (id int)',
  'create schema x',
  'create view x as select 1',
  'create sequence x',
  'create type x as enum ()',
  `create function x() returns int language sql as 'select 1'`,
  `do $$ begin execute 'create table x ()'; end $$`,
  'create extension hstore',
  'create database x',
  'create index on users (email)',
  'alter table users add column x int',
  'alter table users disable trigger all',
  'alter table users owner to current_user',
  'alter function index_title() owner to current_user',
  `create or replace function index_title() returns trigger language plpgsql as 'begin return null; end'`,
  'create trigger t before insert on users for each row execute function index_title()',
  'create rule r as on insert to users do instead nothing',
  'create policy p on users',
  'drop table users',
  'drop table agenda.agenda_jobs',
  'drop schema agenda cascade',
  'drop schema public cascade',
  'truncate users',
  'truncate migrations, tasks',
  'comment on table users is null',
  'cluster users',
  'reindex table users',
];

const denied = async (db: pg.Client, statement: string): Promise<string | null> => {
  try {
    await db.query(statement);
    return 'it was executed';
  } catch (error) {
    const { code = '', message } = error as pg.DatabaseError;
    // Not permitted, not installed (extensions), or an object that this role does not own.
    const kept = ['42501', '0A000', '58P01', '22023', '42704', '55P02', '42P17', '0LP01'].includes(code);
    return kept ? null : `${code} ${message}`;
  }
};

attack(
  'A96',
  'statements of the serving role: schema, other databases, files, programs, other roles',
  async (score) => {
    const role = new pg.Client({ connectionString: lab.shipped.roleUrl });
    await role.connect();
    const { rows } = await role.query(
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
    );
    expect(Object.values(rows[0])).toEqual([false, false, false, false, false]);
    await score.each([...beyond, ...ofTheOwner], (statement) => denied(role, statement), 1);
    const { rows: names } = await role.query(
      `select datname as name from pg_database where datname like 'attack%' or datname = 'postgres'`,
    );
    await score.each(
      names.map(({ name }) => String(name)),
      async (name) => {
        const url = new URL(lab.shipped.roleUrl);
        url.pathname = name;
        const other = new pg.Client({ connectionString: url.href });
        try {
          await other.connect();
          return await denied(other, 'select * from users').then((found) => (/42P01/.test(found ?? '') ? null : found));
        } catch {
          return null;
        } finally {
          await other.end().catch(() => undefined);
        }
      },
    );
    await role.end();
    // The attempts changed nothing, and the service works with these privileges.
    const { token: as } = await lab.shipped.signUp();
    const { id } = await lab.shipped.createConversation(as);
    expectStatus(
      await lab.shipped.other.call('POST', `/v1/conversations/${id}/messages`, { as, body: { content: 'hi' } }),
      201,
    );
  },
);

attack('A96', 'files, programs and other roles, as the role that owns the embedded database', async (score) => {
  const role = new pg.Client({ connectionString: lab.open.databaseUrl });
  await role.connect();
  await score.each(beyond, (statement) => denied(role, statement), 1);
  await role.end();
});
