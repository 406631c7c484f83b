import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outcome, recordOutcomes } from '../../src/webhooks/dispatch-outcomes.ts';
import type { House } from '../support/house.ts';
import { openHouse } from '../support/open-house.ts';

let house: House;

beforeAll(async () => {
  house = await openHouse();
  await house.query(`
    insert into users (id, email, username, password_hash, email_verified, plan, created_at, updated_at)
    values ('usr_1', 'a@example.com', 'a', '', false, 'free', now(), now())`);
  await house.query(`
    insert into webhooks (id, user_id, url, events, secret, secret_is_generated, active, created_at, updated_at)
    values ('wh_1', 'usr_1', 'https://example.com/', '{agent.created}', '', true, true, now(), now())`);
});
afterAll(() => house?.close());

const outcomeOf = (id: string, leaseToken: string, change: Partial<Outcome>): Outcome => ({
  delivery: {
    id,
    leaseToken,
    webhookId: 'wh_1',
    accountId: 'usr_1',
    revision: 1,
    consecutiveFailures: 0,
    attempt: 1,
    attemptedAt: new Date(),
    eventId: 'evt_1',
    eventType: 'agent.created',
    eventCreatedAt: new Date(),
    dataText: '{}',
  },
  status: 'delivered',
  dueAt: null,
  attempt: { startedAt: new Date().toISOString(), status: 200, durationMs: 1, error: null, excerpt: null },
  succeeded: true,
  gone: false,
  ...change,
});

test.each([
  ['a success', {}],
  ['a failure that is tried again', { status: 'pending', dueAt: new Date(), succeeded: false }],
  ['the last failure', { status: 'failed', succeeded: false }],
] as const)('a lost lease: %s changes nothing of its delivery', async (what, change) => {
  const [late, current] = [`dlv_late ${what}`, `dlv_current ${what}`];
  await house.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, lease_token, lease_until, created_at)
     select id, 'wh_1', 'evt_1', 'agent.created', 'pending', now(), 'the new holder', now() + interval '1 minute', now()
     from unnest($1::text[]) as made (id)`,
    [[late, current]],
  );
  const rowOf = async (id: string) => (await house.query('select * from webhook_deliveries where id = $1', [id]))[0];
  const before = await rowOf(late);
  await recordOutcomes(house.newCtx(), [
    outcomeOf(late, 'the old holder', change),
    outcomeOf(current, 'the new holder', change),
  ]);
  expect(await rowOf(late)).toEqual(before);
  expect(await rowOf(current)).toMatchObject({ lease_token: null, attempts: [{ status: 200 }] });
});
