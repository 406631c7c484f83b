import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { mailWith, tokenIn } from '../support/outbox.ts';
import { checkoutBody, openBilling } from './billing-client.ts';

const { app, processor, subscription, usage } = await openBilling();

type Verb = 'delete' | 'older-price' | 'own-product' | 'extra' | 'incomplete';

const customerOf = async (as: string): Promise<string> => (await subscription(as)).processor_customer_id;
/** What an operator does with the account's customer at the processor. Returns the customer's address there. */
const atProcessor = async (as: string, verb: Verb): Promise<string> =>
  ((await (await processor.post(`/customers/${await customerOf(as)}/${verb}`)).json()) as { email: string }).email;
const checkOut = (as: string, order: object = {}) =>
  app.call('POST', '/v1/billing/checkout', { as, body: { ...checkoutBody, ...order } });
const change = (as: string, body: object) => app.call('PUT', '/v1/billing/subscription', { as, body });
const invoices = async (as: string) => (await app.call('GET', '/v1/billing/invoices', { as })).body.data;
const untilPlan = (as: string, plan: string) =>
  eventually(async () => (await usage(as)).plan === plan, { what: `the plan ${plan}` });

describe('a customer who was deleted at the processor', () => {
  it('becomes free and can pay again', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token);
    const before = await customerOf(token);
    await atProcessor(token, 'delete');
    await untilPlan(token, 'free');
    expect((await app.call('POST', '/v1/billing/portal', { as: token })).status).toBe(200);
    await processor.subscribe(token, { plan: 'pro' });
    await untilPlan(token, 'pro');
    expect(await customerOf(token)).not.toBe(before);
  });

  it('can open a checkout and the portal at the same time, which make one new customer', async () => {
    const { token } = await app.signUp();
    await checkOut(token);
    await atProcessor(token, 'delete');
    const [paid, portal] = await Promise.all([checkOut(token), app.call('POST', '/v1/billing/portal', { as: token })]);
    expect([paid.status, portal.status]).toEqual([201, 200]);
    const customer = await customerOf(token);
    const { rows } = await app.db.query('select state from simulated_customers where id = $1', [customer]);
    expect([rows[0].state.checkouts.length, rows[0].state.portals.length]).toEqual([1, 1]);
  });
});

describe('a subscription whose price is not for sale any more', () => {
  it('has the plan of its product, its invoices, and no second subscription', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token);
    await atProcessor(token, 'older-price');
    expect(await subscription(token)).toMatchObject({ plan: 'plus', status: 'active', interval: 'month' });
    expect(await invoices(token)).toMatchObject([{ plan: 'plus', amount: 1_200 }]);
    expect((await checkOut(token)).body.error.code).toBe('subscription_exists');
  });

  it('keeps its plan if its product is unknown too, and is reported to operators', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token, { plan: 'pro' });
    await untilPlan(token, 'pro');
    await atProcessor(token, 'own-product');
    await eventually(
      async () => (await (await fetch(`${app.baseUrl}/metrics`)).text()).includes('billing_unknown_prices 1'),
      { what: 'the metric' },
    );
    expect((await usage(token)).plan).toBe('pro');
    expect(await invoices(token)).toMatchObject([{ plan: 'pro' }]);
    expect((await checkOut(token)).body.error.code).toBe('subscription_exists');
    const upgraded = await change(token, { plan: 'creator' });
    expect([upgraded.status, upgraded.body.plan]).toEqual([200, 'creator']);
  });

  it('is recognized beside other items, and changed without them', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token);
    await atProcessor(token, 'extra');
    expect(await subscription(token)).toMatchObject({ plan: 'plus' });
    expect((await change(token, { plan: 'pro' })).body).toMatchObject({ plan: 'pro', effective_at: null });
    await untilPlan(token, 'pro');
    await change(token, { plan: 'plus' });
    expect(await subscription(token)).toMatchObject({ plan: 'pro', pending_plan: 'plus' });
    await processor.advance(32);
    await untilPlan(token, 'plus');
  });
});

describe('a cancelled subscription', () => {
  it('is resumed by an upgrade, which says so', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token);
    await app.call('DELETE', '/v1/billing/subscription', { as: token });
    const preview = await app.call('GET', '/v1/billing/subscription/preview?plan=pro', { as: token });
    expect(preview.body.resumes).toBe(true);
    expect((await change(token, { plan: 'pro' })).body).toMatchObject({ plan: 'pro', resumed: true });
    expect(await subscription(token)).toMatchObject({ plan: 'pro', cancel_at: null, canceled_at: null });
    await processor.advance(32);
    await untilPlan(token, 'pro');
  });
});

describe('a new e-mail address', () => {
  it('reaches the processor', async () => {
    const { token, email, password } = await app.signUp();
    await processor.subscribe(token);
    const address = `new-${email}`;
    const body = { new_email: address, current_password: password };
    expect((await app.call('POST', '/v1/auth/change-email', { as: token, body })).status).toBe(200);
    const given = { token: tokenIn(await mailWith(app, address, 'Confirm your new e-mail address')) };
    expect((await app.call('POST', '/v1/auth/verify-email', { as: token, body: given })).status).toBe(200);
    const emailAtProcessor = async () => {
      const { rows } = await app.db.query('select state from simulated_customers where id = $1', [
        await customerOf(token),
      ]);
      return rows[0].state.email;
    };
    await eventually(async () => (await emailAtProcessor()) === address, { what: 'the new address' });
  });
});

describe('a first payment that has not succeeded', () => {
  it('can be replaced by another checkout', async () => {
    const { token } = await app.signUp();
    await checkOut(token);
    await atProcessor(token, 'incomplete');
    await eventually(async () => (await subscription(token)).status === 'incomplete', { what: 'the subscription' });
    const refused = await change(token, { plan: 'pro' });
    expect(refused.body.error).toMatchObject({ code: 'no_active_subscription', message: /portal|checkout/ });
    await processor.subscribe(token, { plan: 'pro' });
    await untilPlan(token, 'pro');
    expect(await subscription(token)).toMatchObject({ plan: 'pro', status: 'active' });
  });
});

describe('another interval', () => {
  it('a year takes effect immediately and starts a new period', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token);
    const preview = await app.call('GET', '/v1/billing/subscription/preview?plan=plus&interval=year', { as: token });
    expect(preview.body).toMatchObject({ interval: 'year', next_amount: 12_000, effective_at: null });
    const { status, body } = await change(token, { plan: 'plus', interval: 'year' });
    expect([status, body.interval, body.previous_plan, body.effective_at]).toEqual([200, 'year', 'plus', null]);
    expect(body.proration_amount).toBeGreaterThan(10_000);
    const { current_period_start: start, current_period_end: end } = await subscription(token);
    expect(Date.parse(end) - Date.parse(start)).toBeGreaterThan(364 * 86_400_000);
  });

  it('a month takes effect at the end of the year', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token, { interval: 'year' });
    const { body } = await change(token, { plan: 'plus', interval: 'month' });
    expect(body).toMatchObject({ interval: 'month', proration_amount: 0, effective_at: expect.any(String) });
    expect(await subscription(token)).toMatchObject({
      interval: 'year',
      pending_interval: 'month',
      pending_plan: null,
    });
    await processor.advance(366);
    await eventually(async () => (await subscription(token)).interval === 'month', { what: 'the month' });
  });

  it('the same plan and interval are refused', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token);
    const { status, body } = await change(token, { plan: 'plus', interval: 'month' });
    expect([status, body.error.details[0].code]).toEqual([400, 'same_plan']);
  });
});
