import { afterAll, afterEach } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { answer, type Received, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

interface WebhookLab {
  /** Retries after 0.2, 0.3 and 0.4 s. */
  app: TestApp;
  /** Responds with 200, and is empty when a test begins. */
  receiver: WebhookReceiver;
  /** The requests of one event. */
  ofEvent: (id: string) => Received[];
}

/** Starts a service and an endpoint for the tests of a file. */
export async function openWebhookLab(): Promise<WebhookLab> {
  const receiver = await startWebhookReceiver();
  const app = await startTestApp({
    env: { WEBHOOK_RETRY_DELAYS: '0.2,0.3,0.4', LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent' },
  });
  afterEach(() => {
    receiver.behave(answer(200));
    receiver.received.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });
  return { app, receiver, ofEvent: (id) => receiver.received.filter((one) => one.event.id === id) };
}
