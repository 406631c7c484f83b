import pg from 'pg';
import { expect, test } from 'vitest';
import { createAgendaSchema } from '../../jobs/agenda-store.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { describeJobs } from './agenda.suite.ts';

describeJobs(async () => ({ mongodbUrl: null, close: async () => undefined }));

test('a connection that is lost while the schedule is brought up to date ends no process and leaves no lock', async () => {
  const database = await createTestDatabase();
  const [other, watcher] = [database.url, database.url].map((url) => new pg.Client(url)) as [pg.Client, pg.Client];
  await Promise.all([other.connect(), watcher.connect()]);
  await createAgendaSchema(database.url);
  await other.query('begin; lock table agenda.agenda_jobs in access exclusive mode');
  const upgraded = createAgendaSchema(database.url);
  const holder = await eventually(async () => {
    const { rows } = await watcher.query(
      `select a.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where l.locktype = 'advisory' and a.datname = current_database() and a.wait_event_type = 'Lock'`,
    );
    return rows[0]?.pid as number | undefined;
  });
  await Promise.all([expect(upgraded).rejects.toThrow(), watcher.query('select pg_terminate_backend($1)', [holder])]);
  await other.query('commit');
  await expect(createAgendaSchema(database.url)).resolves.toBeUndefined();
  await Promise.all([other.end(), watcher.end()]);
  await database.drop();
});
