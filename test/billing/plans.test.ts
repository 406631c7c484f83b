import { describe, expect, it } from 'vitest';
import { openBilling } from './billing-client.ts';

const { app, processor, subscription } = await openBilling();

const preview = (as: string, plan: string) => app.call('GET', `/v1/billing/subscription/preview?plan=${plan}`, { as });

describe('the plans', () => {
  it('show prices of the payment processor and the limits to anyone', async () => {
    const answer = await app.call('GET', '/v1/billing/plans');
    expect(answer.status).toBe(200);
    expect(answer.body.data.map(({ plan }: { plan: string }) => plan)).toEqual(['free', 'plus', 'pro', 'creator']);
    expect(answer.body.data[0].prices).toEqual([]);
    expect(answer.body.data[1]).toEqual({
      plan: 'plus',
      prices: [
        { interval: 'month', amount: 1_200, currency: 'usd' },
        { interval: 'year', amount: 12_000, currency: 'usd' },
      ],
      limits: { messages_per_day: 500, agents: 15, knowledge_documents: 50 },
      features: [
        '500 messages a day',
        '15 agents',
        '50 documents',
        expect.stringMatching(/^[\d,]+ requests a minute$/),
        expect.stringMatching(/^[\d,]+ spoken replies a minute$/),
        expect.stringMatching(/^[\d,]+ transcriptions a minute$/),
      ],
    });
    expect(answer.body.data[3].limits).toEqual({ messages_per_day: -1, agents: -1, knowledge_documents: 1_000 });
  });
});

describe('a preview of a change of plan', () => {
  it('shows what the upgrade charges, and changes nothing', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token);
    await processor.advance(10);
    const before = await subscription(token);
    const shown = await preview(token, 'pro');
    expect(shown.status).toBe(200);
    expect(shown.body).toEqual({
      resumes: false,
      plan: 'pro',
      current_plan: 'plus',
      interval: 'month',
      proration_amount: expect.any(Number),
      proration_currency: 'usd',
      next_amount: 3_000,
      next_payment_at: before.current_period_end,
      effective_at: null,
    });
    expect(await subscription(token)).toEqual(before);
    const charged = await app.call('PUT', '/v1/billing/subscription', { as: token, body: { plan: 'pro' } });
    // Some seconds of the period may pass between the two requests.
    expect(Math.abs(charged.body.proration_amount - shown.body.proration_amount)).toBeLessThanOrEqual(1);
    expect(shown.body.proration_amount).toBeGreaterThan(0);
  });

  it('charges nothing for a smaller plan, which waits for the end of the period', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token, { plan: 'creator' });
    const { current_period_end: end } = await subscription(token);
    const shown = await preview(token, 'plus');
    expect(shown.body).toMatchObject({ proration_amount: 0, next_amount: 1_200, effective_at: end });
  });

  it('names the field when the plan is the current one or unknown', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token);
    for (const plan of ['plus', 'free', 'x']) {
      const answer = await preview(token, plan);
      expect([plan, answer.status, answer.body.error.details[0].field]).toEqual([plan, 400, 'plan']);
    }
  });

  it('returns 409 for a free account', async () => {
    const { token } = await app.signUp();
    const answer = await preview(token, 'pro');
    expect([answer.status, answer.body.error.code]).toEqual([409, 'no_active_subscription']);
  });
});

describe('the payment method', () => {
  const query = '{ subscription { paymentMethod { brand last4 expires { month year } } } }';

  it('shows brand, last digits and expiry of the card that is charged', async () => {
    const { token } = await app.signUp();
    expect((await app.graphql(query, { as: token })).body.data.subscription.paymentMethod).toBeNull();
    await processor.subscribe(token, { card: 'declined' });
    expect((await app.graphql(query, { as: token })).body.data.subscription.paymentMethod).toEqual({
      brand: 'visa',
      last4: '0341',
      expires: { month: 12, year: 2034 },
    });
  });
});
