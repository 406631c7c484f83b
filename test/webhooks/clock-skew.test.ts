import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { outboxKind } from '../../src/core/outbox.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhookOwner } from '../support/webhook-account.ts';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const env = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'b'.repeat(40), WEBHOOK_RETRY_DELAYS: '2,2,2' };
const retryMs = 2_000;
const skewMs = 120_000;

let apps: TestApp[];
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const first = await startTestApp({ env });
  const ahead = () => new Date(Date.now() + skewMs);
  const clock = { now: ahead, realNow: ahead };
  apps = [first, await startTestApp({ env, databaseUrl: first.databaseUrl, clock })];
});
afterEach(() => {
  receiver.received.length = 0;
  receiver.behave(answer(200));
});
afterAll(async () => {
  for (const app of apps.toReversed()) await app.close();
  await receiver.close();
});

const wakeAll = () => {
  for (const { app } of apps) app.newCtx({ kind: 'system' }).ports.tasks.wake(outboxKind);
};

describe('two instances, one of them two minutes ahead', () => {
  test('send every delivery once, with the time of the database', async () => {
    const owner = await createWebhookOwner(apps[0]!);
    const { id } = await owner.createWebhook(receiver.url);
    receiver.behave((response, received, socket) => setTimeout(() => answer(200)(response, received, socket), 1_500));
    const events = await owner.cause(20);
    wakeAll();
    await eventually(async () => (await owner.deliveriesOf(id, '?status=delivered')).total === events.length);
    expect(receiver.received.map(({ event }) => event.id).toSorted()).toEqual(events.toSorted());
    for (const { headers, at } of receiver.received)
      expect(Math.abs(Number(headers['x-agent-timestamp']) - at / 1_000)).toBeLessThan(10);
  });

  test('retry no earlier than the delay', async () => {
    const owner = await createWebhookOwner(apps[0]!);
    const { id } = await owner.createWebhook(receiver.url);
    receiver.behave(answer(500));
    await owner.cause(6);
    wakeAll();
    await eventually(() => receiver.received.length >= 12);
    receiver.behave(answer(200));
    await eventually(async () => (await owner.deliveriesOf(id, '?status=delivered')).total === 6);
    const byEvent = Map.groupBy(receiver.received, ({ event }) => event.id as string);
    for (const attempts of byEvent.values())
      for (const [n, { at }] of attempts.slice(1).entries())
        expect(at - attempts[n]!.at).toBeGreaterThanOrEqual(retryMs - 50);
  });

  test('let a replaced secret sign for 24 hours of the database, on whichever the rotation ran', async () => {
    const owner = await createWebhookOwner(apps[0]!);
    for (const app of apps) {
      const { id } = await owner.createWebhook(receiver.url);
      const rotated = await app.call('POST', `/v1/webhooks/${id}/rotate-secret`, { as: owner.token });
      expect(rotated.status).toBe(200);
      const { rows } = await app.db.query<{ seconds: number }>(
        `select extract(epoch from previous_secret_expires_at - now())::float8 as seconds from webhooks where id = $1`,
        [id],
      );
      // Within the skew, which is longer than any stall of the machine.
      expect(Math.abs(rows[0]!.seconds - 24 * 3_600)).toBeLessThan(skewMs / 1_000 / 2);
    }
  });
});
