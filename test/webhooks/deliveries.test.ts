import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { outboxKind } from '../../src/core/outbox.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhookOwner } from '../support/webhook-account.ts';
import { answer, type Received } from '../support/webhook-receiver.ts';
import { openWebhookLab } from './webhook-lab.ts';

/** Far more events than one fan-out handles. */
const burst = 1_500;

const { app, receiver, ofEvent } = await openWebhookLab();

describe('a delivery', () => {
  test('carries its signatures, and the same bytes at every attempt', async () => {
    const owner = await createWebhookOwner(app);
    const { id, secret } = await owner.createWebhook(receiver.url);
    receiver.behave(answer(500, {}, 'no\0t today'));
    await app.createAgent(owner.token, { instructions: 'Zoë \u2028 "quoted" \u{1F989}' });
    const failed = await owner.deliveryWith(id, 'failed');

    const got = ofEvent(failed.event_id);
    expect(got).toHaveLength(4);
    const [first] = got as [Received];
    for (const { headers, body } of got) {
      expect(body.equals(first.body)).toBe(true);
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body.toString()}`;
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-agent-signature': createHmac('sha256', secret).update(body).digest('hex'),
        'x-agent-event': 'agent.created',
        'x-agent-delivery': failed.id,
        'x-agent-timestamp': headers['webhook-timestamp'],
        'webhook-id': failed.event_id,
        'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      });
      expect(Math.abs(Number(headers['x-agent-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
    }
    expect(Object.keys(first.event)).toEqual(['id', 'type', 'created_at', 'data']);
    expect(first.event.data.instructions).toBe('Zoë \u2028 "quoted" \u{1F989}');

    expect(failed).toMatchObject({ status: 'failed', event_type: 'agent.created', next_attempt_at: null });
    expect(failed.attempts).toHaveLength(4);
    for (const attempt of failed.attempts)
      expect(attempt).toMatchObject({
        status: 500,
        error: null,
        excerpt: 'not today',
        duration_ms: expect.any(Number),
      });
    const waits = got.slice(1).map(({ at }, i) => at - got[i]!.at);
    expect(waits.map((ms, i) => ms >= [200, 300, 400][i]! - 5 && ms < 1_500)).toEqual([true, true, true]);
  });

  test('that fails once succeeds when it is retried', async () => {
    const owner = await createWebhookOwner(app);
    const { id } = await owner.createWebhook(receiver.url);
    receiver.behave((response, received, socket) => {
      receiver.behave(answer(204));
      answer(503)(response, received, socket);
    });
    await owner.cause(1);
    const delivered = await owner.deliveryWith(id, 'delivered');
    expect(delivered.attempts.map(({ status }: { status: number }) => status)).toEqual([503, 204]);
  });

  test.each([
    ['honors Retry-After', '120', 120_000],
    ['waits no longer than five minutes for Retry-After', '86400', 300_000],
  ])('%s', async (_what, retryAfter, expectedMs) => {
    const owner = await createWebhookOwner(app);
    const { id } = await owner.createWebhook(receiver.url);
    receiver.behave(answer(429, { 'retry-after': retryAfter }));
    await owner.cause(1);
    const waiting = await eventually(async () => {
      const { data } = await owner.deliveriesOf(id);
      return data[0]?.next_attempt_at ? data[0] : null;
    });
    const waitMs = Date.parse(waiting.next_attempt_at) - Date.parse(waiting.attempts[0].started_at);
    expect(waitMs).toBeGreaterThanOrEqual(expectedMs);
    expect(waitMs).toBeLessThan(expectedMs + 1_000);
  });

  test('sends the bytes of a committed event, and nothing of one that was rolled back', async () => {
    const owner = await createWebhookOwner(app);
    await owner.createWebhook(receiver.url, { events: ['agent.deleted', 'agent.created'] });
    const client = await app.db.connect();
    await client.query('begin');
    const insert = `insert into outbox_events (id, account_id, type, data, created_at) values ($1, $2, 'agent.deleted', $3, now())`;
    await client.query(insert, ['evt_rolled_back', owner.id, '{}']);
    await client.query('rollback');
    await client.query(insert, ['evt_019bc0de-0000-7000-8000-0000000000ff', owner.id, '{"z":1,"a":  2}']);
    client.release();
    const [got] = await eventually(() => (receiver.received.length > 0 ? receiver.received : null));
    expect(got!.body.toString()).toContain('"data":{"z":1,"a":  2}}');
    expect(ofEvent('evt_rolled_back')).toEqual([]);
  });

  test('is sent although another webhook’s secret cannot be decrypted', async () => {
    const owner = await createWebhookOwner(app);
    const { id } = await owner.createWebhook(`${receiver.url}/unreadable`);
    await owner.createWebhook(`${receiver.url}/readable`);
    await app.db.query(`update webhooks set secret = 'of a key that has gone' where id = $1`, [id]);
    await owner.cause(1);
    await eventually(() => receiver.received.length > 0);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/readable']);
  });

  test('does not wait behind the burst of another account', async () => {
    const [busy, other] = [await createWebhookOwner(app), await createWebhookOwner(app)];
    const [{ id: busyId }, { id: otherId }] = [
      await busy.createWebhook(`${receiver.url}/busy`),
      await other.createWebhook(`${receiver.url}/other`),
    ];
    await app.db.query(
      `with written as (
         insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
         select 'evt_' || gen_random_uuid(), case when n <= $3 then $1 else $2 end, 'agent.created', '{}', now(), now()
         from generate_series(1, $3::int + 1) n returning seq)
       insert into outbox_queue select seq from written`,
      [busy.id, other.id, burst],
    );
    app.app.newCtx({ kind: 'system' }).ports.tasks.wake(outboxKind);
    await eventually(async () => (await busy.deliveriesOf(busyId)).total === burst);
    const { rows } = await app.db.query(
      'select webhook_id as id, max(created_at) as "lastAt" from webhook_deliveries where webhook_id = any ($1) group by 1',
      [[busyId, otherId]],
    );
    const lastAt = new Map(rows.map((row) => [row.id, row.lastAt.getTime()]));
    expect(lastAt.get(otherId)).toBeLessThan(lastAt.get(busyId)!);
    await eventually(async () => (await busy.deliveriesOf(busyId, '?status=pending')).total === 0);
  });

  test('goes to every webhook of the account that subscribes, and to no other', async () => {
    const [owner, other] = [await createWebhookOwner(app), await createWebhookOwner(app)];
    await owner.createWebhook(`${receiver.url}/a`);
    await owner.createWebhook(`${receiver.url}/b`, { events: ['agent.deleted', 'agent.created'] });
    await owner.createWebhook(`${receiver.url}/unwanted`, { events: ['agent.deleted'] });
    await other.createWebhook(`${receiver.url}/foreign`);
    await owner.cause(1);
    await eventually(() => receiver.received.length >= 2);
    const { id } = await owner.createWebhook(`${receiver.url}/late`);
    await owner.post(`/v1/webhooks/${id}/test`, {});
    await eventually(() => receiver.received.some(({ path }) => path === '/late'));
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/a', '/b', '/late']);
  });
});

describe('a webhook', () => {
  test('is disabled at exactly 100 consecutive failures, and its owner is notified by mail', async () => {
    const owner = await createWebhookOwner(app);
    const { id } = await owner.createWebhook(receiver.url);
    const failures = async () => (await app.db.query('select consecutive_failures as n from webhooks')).rows;
    await app.db.query('update webhooks set consecutive_failures = 99 where id = $1', [id]);
    receiver.behave(answer(200));
    await owner.cause(1);
    await owner.deliveryWith(id, 'delivered');
    expect(await failures()).toContainEqual({ n: 0 });

    receiver.received.length = 0;
    receiver.behave(answer(500));
    await owner.cause(60);
    await eventually(async () => !(await owner.webhook(id)).active, { timeoutMs: 12_000 });
    expect(receiver.received).toHaveLength(100);
    await eventually(async () => (await owner.deliveriesOf(id, '?status=pending')).total === 0);
    expect(receiver.received).toHaveLength(100);

    const mail = await eventually(async () => {
      const { body } = await app.call('GET', `/dev/mail?to=${owner.email}`, {
        headers: { accept: 'application/json' },
      });
      return body.data?.find(({ subject }: { subject: string }) => subject.includes('webhook'));
    });
    for (const path of [`PUT /v1/webhooks/${id}`, `POST /v1/webhooks/${id}/deliveries/recover`])
      expect(mail.text).toContain(path);
    expect(mail.text).toContain('100 consecutive attempts failed');
  });

  test('is disabled at once by 410, and keeps deliveries that come due until they are redelivered', async () => {
    const owner = await createWebhookOwner(app);
    const { id } = await owner.createWebhook(receiver.url);
    receiver.behave(answer(410));
    await owner.cause(1);
    await eventually(async () => !(await owner.webhook(id)).active);
    expect((await owner.deliveryWith(id, 'failed')).attempts).toHaveLength(1);

    receiver.behave(answer(200));
    const [kept] = await owner.cause(1);
    const skipped = await owner.deliveryWith(id, 'skipped');
    expect(skipped).toMatchObject({ event_id: kept, attempts: [] });
    const path = `/v1/webhooks/${id}/deliveries/${skipped.id}/redeliver`;
    expect(await owner.post(path)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });

    expect(await owner.update(id, { active: true })).toMatchObject({ active: true });
    expect(ofEvent(kept!)).toEqual([]);
    expect(await owner.post(path)).toMatchObject({ status: 200, body: { id: skipped.id, event_id: kept } });
    await owner.deliveryWith(id, 'delivered');
    expect(ofEvent(kept!)).toHaveLength(1);
  });

  test.each([
    ['active: true', () => ({ active: true }), true],
    ['a new url', () => ({ url: `${receiver.url}/moved` }), true],
    ['the same url', () => ({ url: receiver.url }), false],
    ['other events', () => ({ events: ['agent.deleted'] }), false],
  ])('that is disabled is enabled, or not, by %s', async (_how, change, enabled) => {
    const owner = await createWebhookOwner(app);
    const { id } = await owner.createWebhook(receiver.url);
    expect((await owner.update(id, { active: false })).active).toBe(false);
    expect((await owner.update(id, change())).active).toBe(enabled);
  });
});
