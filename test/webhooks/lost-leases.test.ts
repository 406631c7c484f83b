import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeliveryOutcome, recordOutcomes } from '../../src/webhooks/dispatch/record-outcomes.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

const createdAt = new Date();
let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
  await harness.query(`
    insert into users (id, email, username, password_hash, email_verified, plan, created_at, updated_at)
    values ('usr_1', 'a@example.com', 'a', '', false, 'free', now(), now())`);
  await harness.query(`
    insert into webhooks (id, user_id, url, events, secret, active, created_at, updated_at)
    values ('wh_1', 'usr_1', 'https://example.com/', '{agent.created}', '', true, now(), now())`);
});
afterAll(() => harness?.close());

const outcomeOf = (id: string, leaseToken: string, change: Partial<DeliveryOutcome>): DeliveryOutcome => ({
  delivery: {
    id,
    createdAt,
    leaseToken,
    webhookId: 'wh_1',
    accountId: 'usr_1',
    revision: 1,
    consecutiveFailures: 0,
    attempt: 1,
    attemptedAt: new Date(),
    claimedMs: 0,
    eventId: 'evt_1',
    eventType: 'agent.created',
    eventCreatedAt: new Date(),
    dataText: '{}',
  },
  status: 'delivered',
  retryMs: null,
  attempt: { startedAt: new Date().toISOString(), status: 200, durationMs: 1, error: null, excerpt: null },
  succeeded: true,
  gone: false,
  ...change,
});

describe('an outcome whose lease was lost', () => {
  test.each([
    ['a success', {}],
    ['a failure that is retried', { status: 'pending', retryMs: 1_000, succeeded: false }],
    ['the last failure', { status: 'failed', succeeded: false }],
  ] as const)('changes nothing of its delivery: %s', async (what, change) => {
    const [late, current] = [`dlv_late ${what}`, `dlv_current ${what}`];
    await harness.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, lease_token, lease_expires_at, created_at)
       select id, 'wh_1', 'evt_1', 'agent.created', 'pending', now(), 'the new holder', now() + interval '1 minute', $2
       from unnest($1::text[]) as made (id)`,
      [[late, current], createdAt],
    );
    const rowOf = async (id: string) =>
      (await harness.query('select * from webhook_deliveries where id = $1', [id]))[0];
    const before = await rowOf(late);
    await recordOutcomes(harness.newCtx(), [
      outcomeOf(late, 'the old holder', change),
      outcomeOf(current, 'the new holder', change),
    ]);
    expect(await rowOf(late)).toEqual(before);
    expect(await rowOf(current)).toMatchObject({ lease_token: null, attempts: [{ status: 200 }] });
  });
});
