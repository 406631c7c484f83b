import { describe, expect, it } from 'vitest';
import { openBilling } from './billing-client.ts';

const { app, processor, subscription, usage, eventsOf } = await openBilling();

interface Invoice {
  plan: string;
  amount: number;
  status: string;
}

const invoices = async (as: string): Promise<Invoice[]> =>
  (await app.call('GET', '/v1/billing/invoices', { as })).body.data;

describe('a free account', () => {
  it('has a free subscription for the calendar month', async () => {
    const { id, token } = await app.signUp();
    const now = new Date();
    const month = (n: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n, 1)).toISOString();
    expect(await subscription(token)).toEqual({
      id: id.replace('usr_', 'sub_'),
      plan: 'free',
      status: 'active',
      interval: 'month',
      current_period_start: month(0),
      current_period_end: month(1),
      cancel_at: null,
      canceled_at: null,
      created_at: expect.any(String),
      processor_customer_id: null,
      pending_plan: null,
      pending_interval: null,
    });
  });

  it('cannot change, cancel or resume a subscription', async () => {
    const { token } = await app.signUp();
    for (const [method, path, body] of [
      ['PUT', '/v1/billing/subscription', { plan: 'pro' }],
      ['DELETE', '/v1/billing/subscription', undefined],
      ['POST', '/v1/billing/subscription/resume', undefined],
    ] as const) {
      const answer = await app.call(method, path, { as: token, body });
      expect([answer.status, answer.body.error.code]).toEqual([409, 'no_active_subscription']);
    }
  });

  it('has the free limits and current usage', async () => {
    const { token } = await app.signUp();
    await app.createAgent(token);
    expect(await usage(token)).toEqual({
      plan: 'free',
      period_start: expect.stringMatching(/T00:00:00.000Z$/),
      period_end: expect.stringMatching(/T00:00:00.000Z$/),
      usage: {
        messages_sent: 0,
        messages_limit: 50,
        agents_created: 1,
        agents_limit: 3,
        knowledge_docs: 0,
        knowledge_limit: 5,
        stored_megabytes: 1,
        stored_megabytes_limit: 250,
      },
    });
  });
});

describe('a change of plan', () => {
  it('takes effect immediately when the plan is dearer, and charges the rest of the period by the second', async () => {
    const { id, token } = await app.signUp();
    await processor.subscribe(token);
    const before = await subscription(token);
    await processor.advance(10);
    const answer = await app.call('PUT', '/v1/billing/subscription', { as: token, body: { plan: 'pro' } });
    expect(answer.status).toBe(200);
    const [start, end] = [Date.parse(before.current_period_start), Date.parse(before.current_period_end)];
    const { data } = (await app.call('GET', '/v1/billing/invoices', { as: token })).body;
    const part = (end - Date.parse(data[0].period_start)) / (end - start);
    const expected = Math.round(3_000 * part) - Math.round(1_200 * part);
    expect(answer.body).toEqual({
      id: before.id,
      plan: 'pro',
      previous_plan: 'plus',
      status: 'active',
      interval: 'month',
      proration_amount: expected,
      proration_currency: 'usd',
      current_period_end: before.current_period_end,
      effective_at: null,
      resumed: false,
      updated_at: expect.any(String),
    });
    expect(data[0]).toMatchObject({ amount: expected, plan: 'pro', status: 'paid' });
    expect((await usage(token)).plan).toBe('pro');
    expect(await eventsOf(id)).toEqual(['subscription.created 1 plus', 'subscription.updated 2 pro']);
  });

  it('takes effect at the end of the period when the plan is cheaper, and can be reverted until then', async () => {
    const { id, token } = await app.signUp();
    await processor.subscribe(token, { plan: 'creator' });
    const { current_period_end } = await subscription(token);
    const change = () => app.call('PUT', '/v1/billing/subscription', { as: token, body: { plan: 'plus' } });
    expect((await change()).body).toMatchObject({
      plan: 'plus',
      previous_plan: 'creator',
      proration_amount: 0,
      effective_at: current_period_end,
    });
    expect(await subscription(token)).toMatchObject({ plan: 'creator', pending_plan: 'plus' });
    expect((await usage(token)).usage).toMatchObject({ messages_limit: -1, agents_limit: -1, knowledge_limit: 1_000 });
    const resumed = await app.call('POST', '/v1/billing/subscription/resume', { as: token });
    expect([resumed.status, resumed.body.pending_plan]).toEqual([200, null]);
    await change();
    await processor.advance(32);
    expect(await subscription(token)).toMatchObject({ plan: 'plus', pending_plan: null, status: 'active' });
    const data = await invoices(token);
    expect(data.map(({ plan, amount }) => [plan, amount])).toEqual([
      ['plus', 1_200],
      ['creator', 5_000],
    ]);
    expect((await eventsOf(id)).at(-1)).toBe('subscription.updated 5 plus');
  });

  it('returns 400 for the current plan and for an unknown one', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token);
    for (const plan of ['plus', 'free', 'x', null, undefined]) {
      const answer = await app.call('PUT', '/v1/billing/subscription', { as: token, body: { plan } });
      expect([plan, answer.status, answer.body.error.details[0].field]).toEqual([plan, 400, 'plan']);
    }
  });

  it('returns 409 and changes nothing when the card is declined', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token, { card: 'declined' });
    const answer = await app.call('PUT', '/v1/billing/subscription', { as: token, body: { plan: 'pro' } });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    expect((await subscription(token)).plan).toBe('plus');
  });
});

describe('a cancellation', () => {
  it('keeps the plan until the end of the period; then the account is free and loses no data', async () => {
    const { id, token } = await app.signUp();
    await processor.subscribe(token);
    for (let n = 0; n < 5; n++) await app.createAgent(token);
    const { id: subscriptionId, current_period_end } = await subscription(token);
    const answer = await app.call('DELETE', '/v1/billing/subscription', { as: token });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: subscriptionId,
      plan: 'plus',
      status: 'active',
      cancel_at: current_period_end,
      canceled_at: expect.any(String),
      message: expect.any(String),
    });
    expect((await app.call('DELETE', '/v1/billing/subscription', { as: token })).body).toEqual(answer.body);
    await processor.advance(32);
    expect(await subscription(token)).toMatchObject({ id: subscriptionId, plan: 'free', cancel_at: null });
    const used = await usage(token);
    expect([used.plan, used.usage.agents_created, used.usage.agents_limit]).toEqual(['free', 5, 3]);
    const refused = await app.call('POST', '/v1/agents', { as: token, body: { name: 'A', instructions: 'B' } });
    expect(refused.body.error.code).toBe('plan_limit_exceeded');
    expect(await eventsOf(id)).toEqual([
      'subscription.created 1 plus',
      'subscription.cancelled 2 plus',
      'subscription.updated 3 free',
    ]);
    await processor.subscribe(token, { plan: 'pro' });
    expect((await eventsOf(id)).at(-1)).toBe('subscription.created 4 pro');
  });

  it('can be reverted and repeated', async () => {
    const { id, token } = await app.signUp();
    await processor.subscribe(token);
    for (let n = 0; n < 2; n++) {
      await app.call('DELETE', '/v1/billing/subscription', { as: token });
      expect((await subscription(token)).cancel_at).not.toBeNull();
      const resumed = await app.call('POST', '/v1/billing/subscription/resume', { as: token });
      expect([resumed.status, resumed.body.cancel_at, resumed.body.canceled_at]).toEqual([200, null, null]);
    }
    expect((await eventsOf(id)).map((line) => line.split(' ')[0])).toEqual([
      'subscription.created',
      'subscription.cancelled',
      'subscription.updated',
      'subscription.cancelled',
      'subscription.updated',
    ]);
  });

  it('drops a scheduled downgrade', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token, { plan: 'pro' });
    await app.call('PUT', '/v1/billing/subscription', { as: token, body: { plan: 'plus' } });
    expect((await app.call('DELETE', '/v1/billing/subscription', { as: token })).status).toBe(200);
    expect(await subscription(token)).toMatchObject({ plan: 'pro', pending_plan: null });
  });
});

describe('a failed payment', () => {
  it('keeps the plan for seven days, then the free limits apply until a new card is charged', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token, { card: 'declined' });
    const { current_period_start, current_period_end } = await subscription(token);
    const periodDays = (Date.parse(current_period_end) - Date.parse(current_period_start)) / 86_400_000;
    await processor.advance(periodDays + 6.9);
    expect(await subscription(token)).toMatchObject({ plan: 'plus', status: 'past_due' });
    expect((await usage(token)).plan).toBe('plus');
    await processor.advance(0.2);
    expect(await subscription(token)).toMatchObject({ plan: 'plus', status: 'past_due' });
    expect((await usage(token)).plan).toBe('free');
    const portal = await app.call('POST', '/v1/billing/portal', { as: token });
    const path = new URL(portal.body.portal_url).pathname.replace('/dev/processor', '');
    expect((await processor.post(`${path}/card`, { card: 'good' })).status).toBe(303);
    expect(await subscription(token)).toMatchObject({ plan: 'plus', status: 'active' });
    expect((await usage(token)).plan).toBe('plus');
  });

  it('ends the subscription when every retry fails', async () => {
    const { id, token } = await app.signUp();
    await processor.subscribe(token, { card: 'declined' });
    await processor.advance(60);
    expect(await subscription(token)).toMatchObject({ plan: 'free', status: 'active' });
    const data = await invoices(token);
    expect(data.map(({ status }) => status)).toEqual(['uncollectible', 'paid']);
    expect((await eventsOf(id)).at(-1)).toMatch(/^subscription.updated \d+ free$/);
  });
});
