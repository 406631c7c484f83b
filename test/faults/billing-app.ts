import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { processClock } from '../support/clock.ts';
import { type StripeSimulator, startStripeSimulator } from '../../src/simulators/stripe.ts';
import { createMemoryStore } from '../../src/simulators/stripe/store.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { startStripeProxy, type StripeProxy } from '../support/stripe-proxy.ts';

/** The service, its own simulated Stripe, and a network between them that fails on demand. */
export interface BillingApp {
  app: TestApp;
  proxy: StripeProxy;
  stripe: StripeSimulator;
  /** Pays a checkout session on Stripe's page. */
  pay(sessionId: string): Promise<number>;
  /** Another instance of the service on the same database. */
  startAnother(): Promise<TestApp>;
  close(): Promise<void>;
}

export async function startBillingApp(): Promise<BillingApp> {
  const webhookSecret = `whsec_${randomUUID()}`;
  const receivers: TestApp[] = [];
  const stripe = await startStripeSimulator({
    log: pino({ level: 'silent' }),
    clock: processClock,
    store: createMemoryStore(),
    pagesUrl: 'http://stripe.example/dev/processor',
    webhookSecret,
    send: async (body, signature) => {
      const answer = await receivers[0]?.call('POST', '/processor/events', {
        body,
        headers: { 'stripe-signature': signature },
      });
      return answer?.status === 200;
    },
  });
  const proxy = await startStripeProxy(stripe.apiBase);
  // Instances of one service have the same secrets.
  const secrets = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'e'.repeat(40) };
  const env = { ...secrets, STRIPE_API_BASE: proxy.apiBase, STRIPE_WEBHOOK_SECRET: webhookSecret };
  const app = await startTestApp({ env });
  receivers.push(app);
  return {
    app,
    proxy,
    stripe,
    pay: async (sessionId) =>
      (await stripe.page({ method: 'POST', path: `/checkout/${sessionId}`, form: { card: 'good' } })).status,
    startAnother: () => startTestApp({ env, databaseUrl: app.databaseUrl }),
    close: async () => {
      await app.close();
      await proxy.stop();
      await stripe.stop();
    },
  };
}
