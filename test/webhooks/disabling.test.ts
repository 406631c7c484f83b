import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhookOwner, type WebhookOwner } from '../support/webhook-account.ts';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let apps: TestApp[];
let receiver: WebhookReceiver;

// Instances of one service have the same secrets.
const env = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'b'.repeat(40), WEBHOOK_RETRY_DELAYS: '0.1,0.1' };
const attemptsOfEach = 3;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const first = await startTestApp({ env });
  apps = [first, await startTestApp({ env, databaseUrl: first.databaseUrl })];
});
afterEach(() => void receiver.received.splice(0));
afterAll(async () => {
  for (const app of apps.toReversed()) await app.close();
  await receiver.close();
});

/** Waits until every event was fanned out and nothing is left to send. */
const settled = (owner: WebhookOwner, id: string) =>
  eventually(
    async () => {
      const { rowCount } = await apps[0]!.db.query(
        '(select seq from outbox_queue limit 1) union all (select seq from outbox_events where dispatched_at is null limit 1)',
      );
      return rowCount === 0 && (await owner.deliveriesOf(id, '?status=pending')).total === 0;
    },
    { timeoutMs: 15_000 },
  );

test('two instances together stop at the hundredth failure, without one POST after it', async () => {
  const [first] = apps as [TestApp];
  const owner = await createWebhookOwner(first);
  const { id } = await owner.createWebhook(receiver.url);
  receiver.behave((response, received, socket) => setTimeout(() => answer(500)(response, received, socket), 20));
  await owner.cause(300);
  await eventually(async () => !(await owner.webhook(id)).active, { timeoutMs: 15_000 });
  await settled(owner, id);
  expect(receiver.received).toHaveLength(100);
  await owner.cause(5);
  await settled(owner, id);
  expect(receiver.received).toHaveLength(100);

  receiver.behave(answer(200));
  await owner.update(id, { active: true });
  const [event] = await owner.cause(1);
  await eventually(() => receiver.received.some((one) => one.event.id === event));
  expect(receiver.received).toHaveLength(101);
});

test('one success after 99 failures resets the count', async () => {
  const [, second] = apps as [TestApp, TestApp];
  const owner = await createWebhookOwner(second);
  const { id } = await owner.createWebhook(receiver.url);
  const failures = async () =>
    (await second.db.query('select consecutive_failures as n from webhooks where id = $1', [id])).rows[0].n;

  receiver.behave(answer(500));
  await owner.cause(99 / attemptsOfEach);
  await settled(owner, id);
  expect(receiver.received).toHaveLength(99);
  expect(await failures()).toBe(99);
  expect((await owner.webhook(id)).active).toBe(true);

  receiver.behave(answer(200));
  await owner.cause(1);
  await settled(owner, id);
  expect(await failures()).toBe(0);

  receiver.behave(answer(500));
  await owner.cause(60);
  await eventually(async () => !(await owner.webhook(id)).active, { timeoutMs: 15_000 });
  await settled(owner, id);
  expect(receiver.received).toHaveLength(99 + 1 + 100);
});
