import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createQueueMark, type QueueMark } from '../../src/webhooks/dispatch/queue-mark.ts';
import { eventually } from '../support/eventually.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

let harness: Harness;
let other: pg.Client;

beforeAll(async () => {
  harness = await openHarness();
  other = new pg.Client({ connectionString: harness.url });
  await other.connect();
  await harness.query(`
    insert into users (id, email, username, password_hash, email_verified, plan, created_at, updated_at)
    values ('usr_1', 'a@example.com', 'a', '', false, 'free', now(), now())`);
});
afterAll(async () => {
  await other?.end();
  await harness?.close();
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(async () => {
  vi.useRealTimers();
  await harness.query('delete from outbox_queue');
});

const enqueue = `
  with event as (
    insert into outbox_events (id, account_id, type, data, created_at)
    select 'evt_' || gen_random_uuid(), 'usr_1', 'agent.created', '{}', now() from generate_series(1, $1::int) returning seq
  )
  insert into outbox_queue (seq) select seq from event returning seq::int`;

// The moved clock also drives the wait, which the time limit of the test ends.
const untilMoved = { timeoutMs: Infinity, what: 'the mark' };

/** Marks many events as claimed, and reads the mark until it can move, which needs all older transactions to end. */
async function settle(mark: QueueMark): Promise<number> {
  mark.noteTaken(2_000);
  for (let n = 0; n < 2; n++) {
    vi.advanceTimersByTime(1_000);
    await mark.read(harness.newCtx().sql);
  }
  return mark.read(harness.newCtx().sql);
}

describe('the mark of the queue', () => {
  test('moves past claimed events, to the first that is left', async () => {
    const seqs = (await harness.query<{ seq: number }>(enqueue, [10])).map(({ seq }) => seq);
    const mark = createQueueMark();
    await harness.query('delete from outbox_queue where seq < $1', [seqs[6]]);
    await eventually(async () => (await settle(mark)) === seqs[6], untilMoved);
    await harness.query('delete from outbox_queue');
    await eventually(async () => (await settle(mark)) === seqs[9]! + 1, untilMoved);
  });

  test('stays before the number of a transaction that is still open', async () => {
    const mark = createQueueMark();
    await other.query('begin');
    const { rows } = await other.query<{ seq: number }>(enqueue, [1]);
    await harness.query(enqueue, [5]);
    await harness.query('delete from outbox_queue');
    expect(await settle(mark)).toBeLessThanOrEqual(rows[0]!.seq);
    await other.query('commit');
    expect(await settle(mark)).toBeLessThanOrEqual(rows[0]!.seq);
    await harness.query('delete from outbox_queue');
    await eventually(async () => (await settle(mark)) > rows[0]!.seq, untilMoved);
  });

  test('returns to events that were enqueued late, and once a minute to the beginning', async () => {
    const mark = createQueueMark();
    await harness.query(enqueue, [5]);
    await harness.query('delete from outbox_queue');
    const moved = await eventually(async () => {
      const at = await settle(mark);
      return at > 0 ? at : null;
    }, untilMoved);
    mark.include(moved - 3);
    expect(await mark.read(harness.newCtx().sql)).toBe(moved - 3);
    vi.advanceTimersByTime(61_000);
    expect(await mark.read(harness.newCtx().sql)).toBe(0);
  });
});
