import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;
let other: pg.Client;
let id: string;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp();
  other = new pg.Client({ connectionString: app.databaseUrl });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await app.close();
});
beforeEach(async () => {
  app.model.reset();
  id = (await app.createConversation(ada.token)).id;
});

/** Sends a message whose reply is stored while another transaction, which has run `statement`, is open. */
async function replyDuring(statement: string) {
  app.model.script({ when: /^Count$/, firstDeltaDelayMs: 600, deltas: ['One', ', two.'] });
  const sent = app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content: 'Count' } });
  await eventually(async () => (await generation())?.state === 'running', { what: 'the generation' });
  await other.query('begin');
  await other.query(statement, [id]);
  const waits = `
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%ended as%'`;
  await eventually(async () => (await app.db.query(waits)).rows.length > 0, { what: 'the wait of the reply' });
  await other.query('commit');
  return sent;
}

const generation = async (): Promise<{ state: string } | undefined> =>
  (await app.db.query(`select state from generations where conversation_id = $1`, [id])).rows[0];
const stored = async (): Promise<string[]> =>
  (await app.db.query(`select content from messages where conversation_id = $1 order by position`, [id])).rows.map(
    ({ content }) => content,
  );
const sequences = async (): Promise<number[]> =>
  (
    await app.db.query(
      `select (data->>'sequence')::integer as n from outbox_events
       where coalesce(data->>'conversation_id', data->>'id') = $1 order by seq`,
      [id],
    )
  ).rows.map(({ n }) => n);

describe('a reply that is stored while another transaction is open', () => {
  test('uses what the transaction changed in the conversation', async () => {
    const answer = await replyDuring(
      `update conversations set title = 'Counting', event_sequence = event_sequence + 5 where id = $1`,
    );
    expect(answer.status).toBe(201);
    expect(await stored()).toEqual(['Hello.', 'Count', 'One, two.']);
    expect(await sequences()).toEqual([1, 2, 3, 9]);
    const { rows } = await app.db.query(`select title, message_count, last_position from conversations where id = $1`, [
      id,
    ]);
    expect(rows).toEqual([{ title: 'Counting', message_count: 3, last_position: 3 }]);
  });

  test('is stored once when the transaction requested its stop', async () => {
    const answer = await replyDuring(`update generations set stop_requested = true where conversation_id = $1`);
    expect(answer.status).toBe(201);
    expect(await generation()).toEqual({ state: 'complete' });
    expect(await stored()).toEqual(['Hello.', 'Count', 'One, two.']);
    expect(await sequences()).toEqual([1, 2, 3, 4]);
  });

  test('is not stored, and publishes nothing, when the transaction ended it', async () => {
    const answer = await replyDuring(
      `with c as (update conversations set event_sequence = event_sequence where id = $1)
       update generations set state = 'failed', error_code = 'upstream_error', quota_day = null where conversation_id = $1`,
    );
    expect(answer.status).toBe(502);
    expect(await generation()).toEqual({ state: 'failed' });
    expect(await stored()).toEqual(['Hello.', 'Count']);
    expect(await sequences()).toEqual([1, 2, 3]);
  });
});
