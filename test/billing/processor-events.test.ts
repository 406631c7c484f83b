import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Processor, processorOf } from './billing-client.ts';

const secret = 'whsec_of_the_test';

let app: TestApp;
let processor: Processor;

beforeAll(async () => {
  app = await startTestApp({ env: { STRIPE_WEBHOOK_SECRET: secret } });
  processor = processorOf(app);
});
afterAll(() => app.close());

const now = () => Math.floor(Date.now() / 1_000);

const signed = (body: string, { at = now(), key = secret } = {}): string =>
  `t=${at},v1=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`;

const post = (body: string, signature?: string) =>
  app.call('POST', '/processor/events', {
    body,
    headers: signature === undefined ? {} : { 'stripe-signature': signature },
  });

const eventFor = (customer: string, id = 'evt_1', more = {}): string =>
  JSON.stringify({
    id,
    object: 'event',
    type: 'customer.subscription.updated',
    created: now(),
    livemode: false,
    data: { object: { id: 'sub_x', object: 'subscription', customer, status: 'active', items: { data: [] } } },
    ...more,
  });

const heldEvents = async (): Promise<string[]> => {
  const { data } = (await app.call('GET', '/dev/processor/events')).body as { data: { body: string }[] };
  return data.map(({ body }) => body);
};

const count = async (table: string): Promise<number> => {
  const { rows } = await app.db.query<{ n: number }>(`select count(*)::int as n from ${table}`);
  return rows[0]?.n ?? 0;
};

describe('an event', () => {
  let body: string;
  let token: string;

  beforeAll(async () => {
    const account = await app.signUp();
    token = account.token;
    await processor.setDelivery('held');
    await processor.subscribe(token);
    body = (await heldEvents())[0] ?? '';
  });

  beforeEach(async () => {
    await app.db.query('delete from processor_events');
  });

  it.each([
    ['without a signature', () => post(body)],
    ['with a signature of another key', () => post(body, signed(body, { key: 'whsec_other' }))],
    ['with a signature of another body', () => post(body, signed(`${body} `))],
    ['signed more than 300 seconds ago', () => post(body, signed(body, { at: now() - 301 }))],
    ['with a malformed signature', () => post(body, 't=1,v1=')],
    [
      'of the live mode',
      () => post(eventFor('cus_x', 'e', { livemode: true }), signed(eventFor('cus_x', 'e', { livemode: true }))),
    ],
  ])('%s is rejected with 400 and not recorded', async (_what, send) => {
    const answer = await send();
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(await count('processor_events')).toBe(0);
  });

  it('about an unknown customer is accepted without effect', async () => {
    const stranger = eventFor('cus_stranger');
    expect((await post(stranger, signed(stranger))).status).toBe(200);
    expect(await count('processor_events')).toBe(1);
  });

  it('is not trusted: the state of its object is ignored', async () => {
    const { processor_customer_id } = (await app.call('GET', '/v1/billing/subscription', { as: token })).body;
    const lie = eventFor(processor_customer_id, 'evt_lie', {
      data: {
        object: { object: 'subscription', customer: processor_customer_id, status: 'canceled', plan: 'creator' },
      },
    });
    expect((await post(lie, signed(lie))).status).toBe(200);
    expect((await app.call('GET', '/v1/billing/subscription', { as: token })).body).toMatchObject({
      plan: 'plus',
      status: 'active',
    });
  });

  it('is recorded once, even when it is repeated long after', async () => {
    for (let n = 0; n < 3; n++) expect((await post(body, signed(body))).status).toBe(200);
    await Promise.all(Array.from({ length: 5 }, () => post(body, signed(body))));
    expect(await count('processor_events')).toBe(1);
  });
});

describe('the events of a subscription', () => {
  it('lead to the same state in any order, repeated, one by one or concurrently', async () => {
    const { id, token } = await app.signUp();
    await processor.setDelivery('normal');
    await processor.setDelivery('held');
    await processor.subscribe(token, { plan: 'pro' });
    await processor.advance(32);
    const { processor_customer_id: customer } = (await app.call('GET', '/v1/billing/subscription', { as: token })).body;
    const events = (await heldEvents()).filter((event) => event.includes(customer));
    expect(events.length).toBeGreaterThan(4);
    const get = async (path: string) => (await app.call('GET', path, { as: token })).body;
    const see = async () => ({
      subscription: await get('/v1/billing/subscription'),
      usage: await get('/v1/billing/usage'),
      invoices: (await get('/v1/billing/invoices')).data.map(({ id: _, ...rest }: { id: string }) => rest),
    });
    const forget = async () => {
      await app.db.query('delete from processor_events');
      await app.db.query('delete from invoices where user_id = $1', [id]);
      await app.db.query(`update users set plan = 'free' where id = $1`, [id]);
      await app.db.query('update billing_accounts set subscription_id = null where user_id = $1', [id]);
      await app.db.query('delete from outbox_events where account_id = $1', [id]);
    };
    for (const event of events) await post(event, signed(event));
    const expected = await see();
    expect(expected).toMatchObject({ subscription: { plan: 'pro' }, usage: { plan: 'pro' } });
    expect(expected.invoices).toHaveLength(2);
    const order = fc.tuple(
      fc.array(fc.nat(events.length - 1), { maxLength: 5 }),
      fc.shuffledSubarray([...events.keys()], { minLength: 1 }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(order, async ([repeats, some, atOnce]) => {
        await forget();
        const sequence = [...some, ...repeats].map((n) => events[n] ?? '');
        if (atOnce) await Promise.all(sequence.map((event) => post(event, signed(event))));
        else for (const event of sequence) await post(event, signed(event));
        expect(await see()).toEqual(expected);
        const { rows } = await app.db.query(`select type from outbox_events where account_id = $1`, [id]);
        expect(rows).toEqual([{ type: 'subscription.created' }]);
      }),
      { numRuns: 15 },
    );
  });

  it('have the same effect when they arrive twice or in reverse', async () => {
    for (const mode of ['twice', 'reversed'] as const) {
      await processor.setDelivery(mode);
      const { token } = await app.signUp();
      await processor.subscribe(token, { plan: 'creator', interval: 'year' });
      const { body } = await app.call('GET', '/v1/billing/subscription', { as: token });
      expect(body).toMatchObject({ plan: 'creator', interval: 'year', status: 'active' });
    }
    await processor.setDelivery('normal');
  });
});
