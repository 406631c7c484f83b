import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkoutBody } from '../billing/billing-client.ts';
import { eventually } from '../support/eventually.ts';
import { countOf } from '../support/fault-report.ts';
import { type BillingApp, startBillingApp } from './billing-app.ts';

const runs = countOf({ quick: 4, long: 500 });

let house: BillingApp;

beforeAll(async () => {
  house = await startBillingApp();
});
afterEach(async () => {
  house.proxy.decide = () => 'pass';
  await house.stripe.setDelivery('normal');
});
afterAll(() => house.close());

const checkout = (as: string, more = {}) =>
  house.app.call('POST', '/v1/billing/checkout', { as, body: { ...checkoutBody, ...more } });
const change = (as: string, plan: string, app = house.app) =>
  app.call('PUT', '/v1/billing/subscription', { as, body: { plan } });
const see = async (as: string) => (await house.app.call('GET', '/v1/billing/subscription', { as })).body;
const invoices = async (as: string) =>
  (await house.app.call('GET', '/v1/billing/invoices', { as })).body.data as { amount: number }[];

async function subscriber(): Promise<{ id: string; token: string }> {
  const account = await house.app.signUp();
  await house.pay((await checkout(account.token)).body.session_id);
  expect(await see(account.token)).toMatchObject({ plan: 'plus' });
  return account;
}

describe('while Stripe is down', () => {
  it.each([
    ['refuses', 'refuse'],
    ['is in a conflict with itself', 'busy'],
    ['loses its answers', 'lose'],
  ] as const)('every change is 503 and nothing of ours changes (it %s)', async (_how, mishap) => {
    const { token } = await subscriber();
    const newcomer = await house.app.signUp();
    const before = await see(token);
    house.proxy.decide = () => mishap;
    const answers = await Promise.all([
      checkout(newcomer.token),
      change(token, 'pro'),
      house.app.call('DELETE', '/v1/billing/subscription', { as: token }),
      house.app.call('POST', '/v1/billing/portal', { as: token }),
    ]);
    expect(answers.map(({ status, body }) => `${status} ${body.error.code}`)).toEqual(Array(4).fill('503 unavailable'));
    expect(answers[0]?.headers.get('retry-after')).not.toBeNull();
    expect(await see(token)).toEqual(before);
    expect((await house.app.call('GET', '/v1/billing/usage', { as: token })).body.plan).toBe('plus');
  });

  it('a call that hangs is answered within ten seconds', async () => {
    const { token } = await subscriber();
    house.proxy.decide = () => 'hang';
    const start = performance.now();
    const answer = await change(token, 'pro');
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('when the service dies between the answer of Stripe and its own commit', () => {
  it('the same upgrade, asked for again elsewhere, is the same upgrade: charged once, answered whole', async () => {
    const { token } = await subscriber();
    const path = `/v1/subscriptions/`;
    house.proxy.decide = (method, url) => (method === 'POST' && url.startsWith(path) ? 'lose' : 'pass');
    expect((await change(token, 'pro')).status).toBe(503);
    house.proxy.decide = () => 'pass';
    const other = await house.startAnother();
    const again = await change(token, 'pro', other);
    expect([again.status, again.body.plan, again.body.previous_plan]).toEqual([200, 'pro', 'plus']);
    const paid = await invoices(token);
    expect(paid.map(({ amount }) => amount)).toEqual([again.body.proration_amount, 1_200]);
    expect((await see(token)).plan).toBe('pro');
    await other.close();
  });

  it('the same checkout, asked for again, is the same session under the same key', async () => {
    const { token } = await house.app.signUp();
    house.proxy.decide = (method, url) => (method === 'POST' && url === '/v1/checkout/sessions' ? 'lose' : 'pass');
    const before = house.proxy.keysOf('/v1/checkout/sessions').length;
    expect((await checkout(token)).status).toBe(503);
    house.proxy.decide = () => 'pass';
    const again = await checkout(token);
    expect(again.status).toBe(201);
    const keys = house.proxy.keysOf('/v1/checkout/sessions').slice(before);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    expect(await house.pay(again.body.session_id)).toBe(303);
    expect(await invoices(token)).toHaveLength(1);
  });

  it('a cancellation whose answer was lost is known a while later by itself, and told once', async () => {
    const { id, token } = await subscriber();
    await house.stripe.setDelivery('held');
    house.proxy.decide = (method, url) => (method === 'POST' && url.startsWith('/v1/subscriptions/') ? 'lose' : 'pass');
    expect((await house.app.call('DELETE', '/v1/billing/subscription', { as: token })).status).toBe(503);
    house.proxy.decide = () => 'pass';
    // The look that was noted with the request, brought forward.
    await house.app.db.query(`update tasks set run_at = now() where kind = 'billing.sync' and key = $1`, [id]);
    await eventually(async () => (await see(token)).cancel_at, { what: 'the cancellation' });
    expect((await house.app.call('DELETE', '/v1/billing/subscription', { as: token })).status).toBe(200);
    const { rows } = await house.app.db.query(
      `select 1 from outbox_events where account_id = $1 and type = 'subscription.cancelled'`,
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  it(
    'never makes two subscriptions, whatever fails, however often and however many checkouts are asked for',
    async () => {
      let seed = 7;
      const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
      for (let run = 0; run < runs; run++) {
        const { token } = await house.app.signUp();
        house.proxy.decide = () => (random() < 0.25 ? (random() < 0.5 ? 'lose' : 'refuse') : 'pass');
        const answers = await Promise.all([
          checkout(token),
          checkout(token, { plan: 'pro' }),
          checkout(token),
          checkout(token, { interval: 'year' }),
        ]);
        const later = [await checkout(token), await checkout(token, { plan: 'pro' })];
        house.proxy.decide = () => 'pass';
        const last = await checkout(token);
        const sessions = [...answers, ...later, last]
          .filter(({ status }) => status === 201)
          .map(({ body }) => body.session_id as string);
        await Promise.all(sessions.map((session) => house.pay(session)));
        await eventually(async () => (await see(token)).plan !== 'free', { what: 'the plan that was paid' });
        expect(await invoices(token)).toHaveLength(1);
      }
    },
    30_000 * runs,
  );
});

describe('when the events of a day are lost', () => {
  const isDone = async (): Promise<boolean> =>
    (await house.app.db.query(`select 1 from tasks where kind = 'billing.compare'`)).rowCount === 0;

  const compare = async (): Promise<Record<string, number>> => {
    await eventually(isDone, { what: 'the comparisons before', timeoutMs: 40_000 });
    await house.app.db.query(
      `insert into tasks (kind, payload, run_at, max_attempts, created_at) values ('billing.compare', '{}', now(), 5, now())`,
    );
    await eventually(isDone, { what: 'a comparison' });
    const { rows } = await house.app.db.query<{ at: Date }>('select finished_at as at from billing_comparison');
    const at = Number(rows[0]?.at) / 1_000;
    const metrics = await eventually(async () => {
      const { body } = await house.app.call('GET', '/metrics');
      return String(body).includes(`billing_comparison_timestamp_seconds ${at}\n`) ? String(body) : null;
    });
    const figures = metrics.matchAll(/^billing_comparison_accounts\{outcome="(\w+)"\} (\S+)$/gm);
    return Object.fromEntries([...figures].map(([, name, value]) => [name ?? '', Number(value)]));
  };

  it('the nightly comparison finds what was paid, mends it, and shows how many differed', async () => {
    await compare();
    await house.stripe.setDelivery('held');
    const { token } = await house.app.signUp();
    await house.pay((await checkout(token)).body.session_id);
    expect((await see(token)).plan).toBe('free');
    expect(await compare()).toMatchObject({ drifted: 1, failed: 0 });
    expect((await see(token)).plan).toBe('plus');
    expect(await compare()).toMatchObject({ drifted: 0, failed: 0 });
  }, 60_000);
});
