import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { letTasksComeDue } from '../support/leases.ts';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service?.close());

test('a task indexes the messages and titles that existed before an upgrade', async () => {
  const { db } = service;
  const owner = await service.signUp();
  const conversation = await service.createConversation(owner.token);
  const {
    rows: [current],
  } = await db.query(`select pg_get_functiondef('search_words'::regproc) as sql`);
  await db.query(`
    create or replace function search_words(user_id text, content text) returns tsvector
    language sql immutable strict parallel safe as $$ select ''::tsvector $$`);
  // More than one batch.
  await db.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
     select $1 || n, $2, $3, 100 + n, 'user', 'مُحَمَّد user_service ' || n, now() - n * interval '1 second'
     from generate_series(1, 450) n`,
    [newId('msg_'), conversation.id, owner.id],
  );
  await db.query(`update conversations set title = 'Old title' where id = $1`, [conversation.id]);
  await db.query(current.sql);
  const search = async (q: string) =>
    expectStatus(
      await service.call('GET', `/v1/conversations/search?q=${encodeURIComponent(q)}`, { as: owner.token }),
      200,
    ).body;
  expect((await search('user_serv')).total).toBe(0);

  await db.query(`
    insert into tasks (kind, key, payload, run_at, max_attempts, created_at)
    values ('conversation.reindex', 'all', '{"after":""}', now(), 1000, now())`);
  await letTasksComeDue(db);
  const old = `select count(*)::int as n from messages where search is distinct from search_words(user_id, content)`;
  await eventually(async () => (await db.query(old)).rows[0].n === 0, { what: 'the new index' });
  expect((await search('user_serv')).total).toBe(450);
  expect((await search('محمد')).total).toBe(450);
  expect((await search('old title')).total).toBe(1);
});
