import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteBillingCustomer } from '../../src/billing/processor/customers.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { checkoutBody, type Processor, processorOf } from './billing-client.ts';

let app: TestApp;
let processor: Processor;

beforeAll(async () => {
  app = await startTestApp();
  processor = processorOf(app);
});
afterAll(() => app.close());

const see = async (as: string) => (await app.call('GET', '/v1/billing/subscription', { as })).body;

async function portalOf(as: string): Promise<string> {
  const { status, body } = await app.call('POST', '/v1/billing/portal', { as });
  expect([status, Object.keys(body).toSorted()]).toEqual([200, ['expires_at', 'portal_url']]);
  expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now());
  return new URL(body.portal_url).pathname.replace('/dev/processor', '');
}

describe('the payment page', () => {
  it('shows the order, has a way back and reports a declined card', async () => {
    const { email, token } = await app.signUp();
    const { body } = await app.call('POST', '/v1/billing/checkout', { as: token, body: checkoutBody });
    const path = `/checkout/${body.session_id}`;
    const page = await processor.page(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    expect(html).toContain('Subscribe to Plus');
    expect(html).toContain('$12.00');
    expect(html).toContain(email);
    const back = await processor.post(`${path}/cancel`);
    expect([back.status, back.headers.get('location')]).toEqual([303, checkoutBody.cancel_url]);
    const refused = await processor.post(path, { card: 'refused' });
    expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining('declined')]);
    expect((await see(token)).plan).toBe('free');
    expect((await processor.post(path)).status).toBe(303);
    expect((await processor.post(path)).status).toBe(303);
    expect((await app.call('GET', '/v1/billing/invoices', { as: token })).body.total).toBe(1);
  });

  it('expires after a day', async () => {
    const { token } = await app.signUp();
    const { body } = await app.call('POST', '/v1/billing/checkout', { as: token, body: checkoutBody });
    await processor.advance(1.1);
    expect((await processor.post(`/checkout/${body.session_id}`)).status).toBe(410);
  });
});

describe('the portal', () => {
  it('opens for an account that never paid and makes it a customer', async () => {
    const { token } = await app.signUp();
    expect((await processor.page(await portalOf(token))).status).toBe(200);
    expect((await see(token)).processor_customer_id).toEqual(expect.any(String));
  });

  it('cancels and resumes as the API does, and serves invoices as PDF files', async () => {
    const { token } = await app.signUp();
    await processor.subscribe(token, { plan: 'pro' });
    const path = await portalOf(token);
    await app.call('PUT', '/v1/billing/subscription', { as: token, body: { plan: 'plus' } });
    expect(await (await processor.page(path)).text()).toContain('Changes to Plus');
    expect((await processor.post(`${path}/cancel`)).status).toBe(303);
    const cancelled = await see(token);
    expect(cancelled).toMatchObject({ pending_plan: null, cancel_at: cancelled.current_period_end });
    await processor.post(`${path}/resume`);
    expect((await see(token)).cancel_at).toBeNull();
    const { data } = (await app.call('GET', '/v1/billing/invoices', { as: token })).body;
    const pdf = await processor.page(new URL(data[0].invoice_pdf).pathname.replace('/dev/processor', ''));
    const text = Buffer.from(await pdf.arrayBuffer()).toString('latin1');
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(text).toMatch(/^%PDF-1\.4[^]*startxref\n\d+\n%%EOF\n$/);
    expect(text).toContain(data[0].number);
    const start = Number(/startxref\n(\d+)/.exec(text)?.[1]);
    expect(text.slice(start, start + 4)).toBe('xref');
  });
});

describe('the development surface', () => {
  it('rejects unknown pages and invalid times', async () => {
    const paths = ['/checkout/cs_test_x_1', `/portal/bps_${'0'.repeat(20)}_1`, '/checkout/', '/'];
    for (const path of paths) expect((await processor.page(path)).status).toBe(404);
    for (const days of [0, -1, 'x', null, 1e9, [1]]) {
      const answer = await app.call('POST', '/dev/processor/advance', { body: { days } });
      expect([days, answer.status]).toEqual([days, 400]);
    }
    expect((await app.call('POST', '/dev/processor/delivery', { body: { mode: 'x' } })).status).toBe(400);
  });

  it('does not exist when Stripe is configured', async () => {
    const other = await startTestApp({ env: { STRIPE_API_BASE: 'http://127.0.0.1:1' } });
    for (const path of ['/dev/processor/events', '/dev/processor/checkout/x'])
      expect((await other.call('GET', path)).status).toBe(404);
    await other.close();
  });
});

describe('a deleted account', () => {
  it('is removed as a customer and is not charged again, also when the removal is repeated', async () => {
    const { id, email, token } = await app.signUp();
    await processor.subscribe(token);
    const ctx = app.app.newCtx({ kind: 'system' });
    await deleteBillingCustomer(ctx, id);
    await deleteBillingCustomer(ctx, id);
    await eventually(async () => (await see(token)).plan === 'free', { what: 'the free plan' });
    const { rows } = await app.db.query<{ state: object }>('select state from simulated_customers');
    expect(JSON.stringify(rows)).not.toContain(email);
    expect(JSON.stringify(rows)).not.toContain(id);
    await processor.advance(40);
    expect((await app.call('GET', '/v1/billing/invoices', { as: token })).body.total).toBe(1);
  });
});
