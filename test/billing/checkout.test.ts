import { describe, expect, it } from 'vitest';
import { checkoutBody, openBilling } from './billing-client.ts';

const { app, processor, subscription, usage, eventsOf } = await openBilling();

describe('a checkout', () => {
  it('returns 201 with the payment page; a payment makes the plan effective immediately', async () => {
    const { id, token } = await app.signUp();
    for (let n = 0; n < 3; n++) await app.createAgent(token);
    const refused = await app.call('POST', '/v1/agents', { as: token, body: { name: 'A', instructions: 'B' } });
    expect(refused.status).toBe(403);
    const checkout = await app.call('POST', '/v1/billing/checkout', { as: token, body: checkoutBody });
    expect(checkout.status).toBe(201);
    expect(Object.keys(checkout.body).toSorted()).toEqual(['checkout_url', 'expires_at', 'session_id']);
    expect(checkout.body.checkout_url).toContain(`/dev/processor/checkout/${checkout.body.session_id}`);
    const paid = await processor.post(`/checkout/${checkout.body.session_id}`);
    expect([paid.status, paid.headers.get('location')]).toEqual([
      303,
      `https://app.example.com/done?session=${checkout.body.session_id}`,
    ]);
    await app.createAgent(token);
    const { plan, status, interval, processor_customer_id } = await subscription(token);
    expect({ plan, status, interval }).toEqual({ plan: 'plus', status: 'active', interval: 'month' });
    expect(processor_customer_id).toEqual(expect.any(String));
    expect((await app.call('GET', '/v1/auth/me', { as: token })).body.plan).toBe('plus');
    expect((await usage(token)).usage.agents_limit).toBe(15);
    expect(await eventsOf(id)).toEqual(['subscription.created 1 plus']);
  });

  it('returns 409 while there is a paid subscription', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token);
    const again = await app.call('POST', '/v1/billing/checkout', { as: token, body: checkoutBody });
    expect([again.status, again.body.error.code]).toEqual([409, 'subscription_exists']);
  });

  it('closes the previous checkout, so that two cannot both be paid', async () => {
    const { token } = await app.signUp();
    const first = await app.call('POST', '/v1/billing/checkout', { as: token, body: checkoutBody });
    await processor.subscribe(token, { plan: 'pro' });
    expect((await processor.post(`/checkout/${first.body.session_id}`)).status).toBe(410);
    expect((await subscription(token)).plan).toBe('pro');
  });

  it.each([
    ['plan', { plan: 'free' }],
    ['plan', { plan: 'gold' }],
    ['interval', { interval: 'week' }],
    ['success_url', { success_url: 'javascript:alert(1)' }],
    ['success_url', { success_url: 'https://app.example.com/\r\nset-cookie: a=b' }],
    ['cancel_url', { cancel_url: 'https://user:secret@example.com' }],
    ['cancel_url', { cancel_url: undefined }],
    ['plan', { plan: 1 }],
  ])('rejects an invalid %s', async (field, change) => {
    const { token } = await app.signUp();
    const answer = await app.call('POST', '/v1/billing/checkout', { as: token, body: { ...checkoutBody, ...change } });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  it('uses the price of the service and ignores one in the body', async () => {
    const { token } = await app.signUp();
    const body = { ...checkoutBody, price: 1, amount: 1, line_items: [{ price: 'price_cheap' }] };
    const { session_id } = (await app.call('POST', '/v1/billing/checkout', { as: token, body })).body;
    await processor.post(`/checkout/${session_id}`);
    const { data } = (await app.call('GET', '/v1/billing/invoices', { as: token })).body;
    expect(data[0].amount).toBe(1_200);
  });

  it('requires a credential, and of an API key the scope billing:write', async () => {
    const { token } = await app.signUp();
    const key = await app.call('POST', '/v1/auth/api-keys', {
      as: token,
      body: { name: 'reads', scopes: ['billing:read'] },
    });
    const as = key.body.key as string;
    expect((await app.call('POST', '/v1/billing/checkout', { as, body: checkoutBody })).status).toBe(403);
    expect((await app.call('GET', '/v1/billing/usage', { as })).status).toBe(200);
    expect((await app.call('GET', '/v1/billing/usage')).status).toBe(401);
  });
});
