import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhookOwner } from '../support/webhook-account.ts';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let apps: TestApp[];
let receiver: WebhookReceiver;

// Instances of one service have the same secrets.
const env = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'b'.repeat(40), WEBHOOK_RETRY_DELAYS: '0.1,0.1,0.1' };

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const first = await startTestApp({ env });
  apps = [first, await startTestApp({ env, databaseUrl: first.databaseUrl })];
});
afterAll(async () => {
  for (const app of apps.toReversed()) await app.close();
  await receiver.close();
});

/** POSTs to an endpoint that fails which one instance has under way at a time. */
const underWay = 4;

test('two instances together stop at the hundredth failure, and only what is under way then arrives beside it', async () => {
  const [first] = apps as [TestApp];
  const owner = await createWebhookOwner(first);
  const { id } = await owner.createWebhook(receiver.url);
  receiver.behave((response, received, socket) => setTimeout(() => answer(500)(response, received, socket), 20));
  await owner.cause(300);
  await eventually(async () => !(await owner.webhook(id)).active);
  await eventually(async () => (await owner.deliveriesOf(id, '?status=pending')).total === 0);
  const { length } = receiver.received;
  expect(length).toBeGreaterThanOrEqual(100);
  expect(length).toBeLessThanOrEqual(100 + underWay);
  await owner.cause(5);
  await eventually(async () => (await owner.deliveriesOf(id, '?status=pending')).total === 0);
  expect(receiver.received).toHaveLength(length);

  receiver.behave(answer(200));
  await owner.update(id, { active: true });
  const [event] = await owner.cause(1);
  await eventually(() => receiver.received.some((one) => one.event.id === event));
});
