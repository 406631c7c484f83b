import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { claimFreely, findDueEndpoints } from '../../src/webhooks/dispatch/claim-due.ts';
import { DueMark } from '../../src/webhooks/dispatch/due-mark.ts';
import { measureDueDeliveries } from '../../src/webhooks/dispatch/due-deliveries.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

let harness: Harness;
const webhookId = 'wh_00000000-0000-7000-8000-000000000001';
const minutes = 60_000;

beforeAll(async () => {
  harness = await openHarness();
  await harness.query(`
    insert into users (id, email, username, password_hash, email_verified, plan, created_at, updated_at)
    values ('usr_1', 'a@example.com', 'a', '', false, 'free', now(), now())`);
  await harness.query(
    `insert into webhooks (id, user_id, url, events, secret, created_at, updated_at)
     values ($1, 'usr_1', 'https://late.example.com/', '{message.created}', 'none', now(), now())`,
    [webhookId],
  );
});
afterAll(() => harness?.close());
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(async () => {
  vi.useRealTimers();
  await harness.query('delete from webhook_deliveries');
});

/** Inserts deliveries that have been due for the given times. Returns their due times. */
const addDue = async (...agesMs: number[]): Promise<Date[]> => {
  const rows = await harness.query<{ due: Date }>(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at)
     select 'dlv_' || gen_random_uuid(), $1, 'evt_' || gen_random_uuid(), 'message.created', 'pending',
       date_trunc('milliseconds', now()) - age * interval '1 millisecond', now() from unnest($2::int[]) age
     returning due_at as due`,
    [webhookId, agesMs],
  );
  return rows.map(({ due }) => due);
};

/** Claims deliveries like a dispatcher. Returns their number. */
async function claim(mark: DueMark, free = 100): Promise<number> {
  const endpoints = [{ id: webhookId, free, pendingFrom: mark.read() }];
  const { sql } = harness.newCtx();
  const options = { leaseToken: 'one', leaseMs: 60_000, maxAttempts: 4, endpoints };
  const { claimed, reports } = await claimFreely(sql, options);
  const report = reports.get(webhookId);
  if (report) mark.note(report.pendingFrom);
  return claimed.length;
}

async function findDue(mark: DueMark): Promise<string[]> {
  const search = { after: '', limit: 10, from: mark.read() };
  const { endpoints, pendingFrom } = await findDueEndpoints(harness.newCtx().sql, search);
  mark.note(pendingFrom);
  return endpoints.filter(({ due }) => due).map((one) => one.webhookId);
}

describe('the mark of due deliveries', () => {
  test('moves to the first delivery that is pending, leased ones included', async () => {
    const due = await addDue(50 * minutes, 40 * minutes, 30 * minutes);
    const mark = new DueMark();
    expect(await claim(mark, 1)).toBe(1);
    expect(mark.read()).toEqual(due[0]);
    await harness.query(`update webhook_deliveries set status = 'delivered' where due_at < $1`, [due[2]]);
    expect(await claim(mark, 1)).toBe(1);
    expect(mark.read()).toEqual(due[2]);
  });

  test('stays a minute behind the present, so that no delivery of an open transaction is lost', async () => {
    const mark = new DueMark();
    expect(await claim(mark)).toBe(0);
    const [now] = await harness.query<{ now: Date }>('select now()');
    expect(now!.now.getTime() - mark.read()!.getTime()).toBeGreaterThanOrEqual(minutes - 1);
    await addDue(30_000);
    expect(await claim(mark)).toBe(1);
  });

  test('returns to the beginning once a minute, for a delivery that was written late', async () => {
    const [claims, looks] = [new DueMark(), new DueMark()];
    await claim(claims);
    await findDue(looks);
    await addDue(10 * minutes);
    expect([await claim(claims), await findDue(looks)]).toEqual([0, []]);
    vi.advanceTimersByTime(minutes + 1);
    expect([await findDue(looks), await claim(claims)]).toEqual([[webhookId], 1]);
  });

  test('does not change what a search and the gauge find', async () => {
    const mark = new DueMark();
    await addDue(10 * minutes, 5 * minutes);
    for (let n = 0; n < 2; n++) {
      expect(await findDue(mark)).toEqual([webhookId]);
      const { count, oldestSeconds } = await measureDueDeliveries(harness.newCtx());
      expect([count, Math.round(oldestSeconds / 60)]).toEqual([2, 10]);
    }
  });
});
