import { afterAll } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, expectStatus } from '../support/client.ts';

export const checkoutBody = {
  plan: 'plus',
  interval: 'month',
  success_url: 'https://app.example.com/done?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://app.example.com/plans',
};

/** Actions on the processor's pages, and control over its clock and its delivery of events. */
export interface Processor {
  /** Starts a checkout and pays it; returns the checkout. */
  subscribe(as: string, order?: { plan?: string; interval?: string; card?: string }): Promise<{ session_id: string }>;
  post(path: string, form?: Record<string, string>): Promise<Response>;
  page(path: string): Promise<Response>;
  advance(days: number): Promise<void>;
  setDelivery(mode: 'normal' | 'twice' | 'reversed' | 'held'): Promise<void>;
}

export function processorOf({ baseUrl, call }: Pick<TestApp, 'baseUrl'> & Pick<Client, 'call'>): Processor {
  const address = (path: string) => `${baseUrl}/dev/processor${path}`;
  const post: Processor['post'] = (path, form = {}) =>
    fetch(address(path), { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  return {
    post,
    page: (path) => fetch(address(path)),
    subscribe: async (as, { card = 'good', ...order } = {}) => {
      const answer = await call('POST', '/v1/billing/checkout', { as, body: { ...checkoutBody, ...order } });
      const checkout = expectStatus(answer, 201).body;
      const paid = await post(`/checkout/${checkout.session_id}`, { card });
      if (paid.status !== 303) throw new Error(`paying answered ${paid.status}`);
      return checkout;
    },
    advance: async (days) => {
      expectStatus(await call('POST', '/dev/processor/advance', { body: { days } }), 200);
    },
    setDelivery: async (mode) => {
      expectStatus(await call('POST', '/dev/processor/delivery', { body: { mode } }), 200);
    },
  };
}

/** Starts a service that is closed after the tests of the file, with helpers to read an account's billing. */
export async function openBilling() {
  const app = await startTestApp();
  afterAll(() => app.close());
  return {
    app,
    processor: processorOf(app),
    subscription: async (as: string) => (await app.call('GET', '/v1/billing/subscription', { as })).body,
    usage: async (as: string) => (await app.call('GET', '/v1/billing/usage', { as })).body,
    /** Type, sequence and plan of each event of the subscription, in order. */
    eventsOf: async (userId: string) => {
      const { rows } = await app.db.query<{ type: string; data: { sequence: number; plan: string } }>(
        `select type, data from outbox_events where account_id = $1 and type like 'subscription.%' order by seq`,
        [userId],
      );
      return rows.map(({ type, data }) => `${type} ${data.sequence} ${data.plan}`);
    },
  };
}
