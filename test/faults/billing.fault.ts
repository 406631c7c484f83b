import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkoutBody } from '../billing/billing-client.ts';
import { eventually } from '../support/eventually.ts';
import { countOf } from '../support/fault-report.ts';
import { type BillingApp, startBillingApp } from './billing-app.ts';
import { limitsTime } from '../support/wall-clock.ts';

const runs = countOf({ quick: 4, long: 500 });

let harness: BillingApp;

beforeAll(async () => {
  harness = await startBillingApp();
});
afterEach(async () => {
  harness.proxy.decide = () => 'pass';
  await harness.stripe.setDelivery('normal');
});
afterAll(() => harness.close());

const checkout = (as: string, more = {}) =>
  harness.app.call('POST', '/v1/billing/checkout', { as, body: { ...checkoutBody, ...more } });
const change = (as: string, plan: string, app = harness.app) =>
  app.call('PUT', '/v1/billing/subscription', { as, body: { plan } });
const see = async (as: string) => (await harness.app.call('GET', '/v1/billing/subscription', { as })).body;
const invoices = async (as: string) =>
  (await harness.app.call('GET', '/v1/billing/invoices', { as })).body.data as { amount: number }[];

async function subscriber(): Promise<{ id: string; token: string }> {
  const account = await harness.app.signUp();
  await harness.pay((await checkout(account.token)).body.session_id);
  expect(await see(account.token)).toMatchObject({ plan: 'plus' });
  return account;
}

describe('while Stripe is down', () => {
  it.each([
    ['refuses', 'refuse'],
    ['returns conflicts', 'busy'],
    ['loses its responses', 'lose'],
  ] as const)('returns 503 for every change and changes nothing (Stripe %s)', async (_how, mishap) => {
    const { token } = await subscriber();
    const newcomer = await harness.app.signUp();
    const before = await see(token);
    harness.proxy.decide = () => mishap;
    const answers = await Promise.all([
      checkout(newcomer.token),
      change(token, 'pro'),
      harness.app.call('DELETE', '/v1/billing/subscription', { as: token }),
      harness.app.call('POST', '/v1/billing/portal', { as: token }),
    ]);
    expect(answers.map(({ status, body }) => `${status} ${body.error.code}`)).toEqual(Array(4).fill('503 unavailable'));
    expect(answers[0]?.headers.get('retry-after')).not.toBeNull();
    expect(await see(token)).toEqual(before);
    expect((await harness.app.call('GET', '/v1/billing/usage', { as: token })).body.plan).toBe('plus');
  });

  it('responds within ten seconds to a call that hangs', limitsTime, async () => {
    const { token } = await subscriber();
    harness.proxy.decide = () => 'hang';
    const start = performance.now();
    const answer = await change(token, 'pro');
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('when the service dies between the response of Stripe and its own commit', () => {
  it('repeats an upgrade on another instance without charging twice', async () => {
    const { token } = await subscriber();
    const path = `/v1/subscriptions/`;
    harness.proxy.decide = (method, url) => (method === 'POST' && url.startsWith(path) ? 'lose' : 'pass');
    expect((await change(token, 'pro')).status).toBe(503);
    harness.proxy.decide = () => 'pass';
    const other = await harness.startAnother();
    const again = await change(token, 'pro', other);
    expect([again.status, again.body.plan, again.body.previous_plan]).toEqual([200, 'pro', 'plus']);
    const paid = await invoices(token);
    expect(paid.map(({ amount }) => amount)).toEqual([again.body.proration_amount, 1_200]);
    expect((await see(token)).plan).toBe('pro');
    await other.close();
  });

  it('returns the same session for a repeated checkout', async () => {
    const { token } = await harness.app.signUp();
    harness.proxy.decide = (method, url) => (method === 'POST' && url === '/v1/checkout/sessions' ? 'lose' : 'pass');
    const before = harness.proxy.keysOf('/v1/checkout/sessions').length;
    expect((await checkout(token)).status).toBe(503);
    harness.proxy.decide = () => 'pass';
    const again = await checkout(token);
    expect(again.status).toBe(201);
    const keys = harness.proxy.keysOf('/v1/checkout/sessions').slice(before);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    expect(await harness.pay(again.body.session_id)).toBe(303);
    expect(await invoices(token)).toHaveLength(1);
  });

  it('finds a cancellation whose response was lost, and reports it once', async () => {
    const { id, token } = await subscriber();
    await harness.stripe.setDelivery('held');
    harness.proxy.decide = (method, url) =>
      method === 'POST' && url.startsWith('/v1/subscriptions/') ? 'lose' : 'pass';
    expect((await harness.app.call('DELETE', '/v1/billing/subscription', { as: token })).status).toBe(503);
    harness.proxy.decide = () => 'pass';
    // Brings forward the check that was scheduled with the request.
    await harness.app.db.query(`update tasks set run_at = now() where kind = 'billing.sync' and key = $1`, [id]);
    await eventually(async () => (await see(token)).cancel_at, { what: 'the cancellation' });
    expect((await harness.app.call('DELETE', '/v1/billing/subscription', { as: token })).status).toBe(200);
    const { rows } = await harness.app.db.query(
      `select 1 from outbox_events where account_id = $1 and type = 'subscription.cancelled'`,
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  it(
    'never creates two subscriptions, whatever fails and however many checkouts are requested',
    async () => {
      let seed = 7;
      const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
      for (let run = 0; run < runs; run++) {
        const { token } = await harness.app.signUp();
        harness.proxy.decide = () => {
          if (random() >= 0.25) return 'pass';
          return random() < 0.5 ? 'lose' : 'refuse';
        };
        const answers = await Promise.all([
          checkout(token),
          checkout(token, { plan: 'pro' }),
          checkout(token),
          checkout(token, { interval: 'year' }),
        ]);
        const later = [await checkout(token), await checkout(token, { plan: 'pro' })];
        harness.proxy.decide = () => 'pass';
        const last = await checkout(token);
        const sessions = [...answers, ...later, last]
          .filter(({ status }) => status === 201)
          .map(({ body }) => body.session_id as string);
        await Promise.all(sessions.map((session) => harness.pay(session)));
        await eventually(async () => (await see(token)).plan !== 'free', { what: 'the plan that was paid' });
        expect(await invoices(token)).toHaveLength(1);
      }
    },
    30_000 * runs,
  );
});

describe('when the events of a day are lost', () => {
  const isDone = async (): Promise<boolean> =>
    (await harness.app.db.query(`select 1 from tasks where kind like 'billing.compare%'`)).rowCount === 0;

  const compare = async (): Promise<Record<string, number>> => {
    await eventually(isDone, { what: 'the comparisons before', timeoutMs: 40_000 });
    await harness.app.db.query(
      `insert into tasks (kind, payload, run_at, max_attempts, created_at) values ('billing.compare', '{}', now(), 5, now())`,
    );
    await eventually(isDone, { what: 'a comparison' });
    const { rows } = await harness.app.db.query<{ at: Date }>('select finished_at as at from billing_comparison');
    const at = Number(rows[0]?.at) / 1_000;
    const metrics = await eventually(async () => {
      const { body } = await harness.app.call('GET', '/metrics');
      return String(body).includes(`billing_comparison_timestamp_seconds ${at}\n`) ? String(body) : null;
    });
    const figures = metrics.matchAll(/^billing_comparison_accounts\{outcome="(\w+)"\} (\S+)$/gm);
    return Object.fromEntries([...figures].map(([, name, value]) => [name ?? '', Number(value)]));
  };

  it('finds payments in the nightly comparison, corrects them, and reports how many differed', async () => {
    await compare();
    await harness.stripe.setDelivery('held');
    const { token } = await harness.app.signUp();
    await harness.pay((await checkout(token)).body.session_id);
    expect((await see(token)).plan).toBe('free');
    expect(await compare()).toMatchObject({ drifted: 1, failed: 0 });
    expect((await see(token)).plan).toBe('plus');
    expect(await compare()).toMatchObject({ drifted: 0, failed: 0 });
  });

  it('compares ranges of accounts at the same time, and counts every account', async () => {
    await compare();
    const { db } = harness.app;
    const count = 1_001;
    await db.query(
      `with people as (
         insert into users (id, email, username, password_hash, plan, created_at, updated_at)
         select 'usr_z' || n, n || '@range.example', 'range' || n, '', 'free', now(), now() from generate_series($1::int, $2::int) n
         returning id)
       insert into billing_accounts (user_id, customer_id, updated_at) select id, 'cus_' || id, now() from people`,
      [10_001, 10_000 + count],
    );
    const { rows } = await db.query<{ n: number }>('select count(*)::int as n from billing_accounts');
    const asked = new Set<number>();
    harness.proxy.decide = (_method, url) => {
      const [, number] = /cus_usr_z(\d+)/.exec(url) ?? [];
      if (number === undefined) return 'pass';
      asked.add(Number(number));
      return 'hang';
    };
    const compared = compare();
    // Each range is at its first account until Stripe responds.
    await eventually(() => asked.size >= 3, { what: 'three ranges', timeoutMs: 40_000 });
    harness.proxy.decide = () => 'pass';
    const [first = 0, second = 0, third = 0] = [...asked].sort((a, b) => a - b);
    expect([second - first, third - second].every((distance) => distance > 400)).toBe(true);
    // An account that is gone by its turn needs no call.
    await db.query(`delete from billing_accounts where customer_id like 'cus_usr_z%'`);
    const { compared: right = 0, failed = 0 } = await compared;
    expect(right + failed).toBe(rows[0]?.n);
    expect(failed).toBeLessThanOrEqual(3);
  });
});
