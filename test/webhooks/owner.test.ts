import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createWebhookOwner } from '../support/webhook-account.ts';
import { answer } from '../support/webhook-receiver.ts';
import { openWebhookLab } from './webhook-lab.ts';

const { app, receiver, ofEvent } = await openWebhookLab();

describe('an owner', () => {
  test('redelivers a failed delivery with a full round of attempts', async () => {
    const owner = await createWebhookOwner(app);
    const { id } = await owner.createWebhook(receiver.url);
    receiver.behave(answer(500));
    const [event] = await owner.cause(1);
    const failed = await owner.deliveryWith(id, 'failed');
    await owner.post(`/v1/webhooks/${id}/deliveries/${failed.id}/redeliver`);
    await eventually(() => ofEvent(event!).length === 8);
    const again = await eventually(async () => {
      const { data } = await owner.deliveriesOf(id, '?status=failed');
      return data[0]?.attempts.length === 8 ? data[0] : null;
    });
    expect(again).toMatchObject({ id: failed.id, event_id: event });
    expect(ofEvent(event!).every(({ body }) => body.equals(ofEvent(event!)[0]!.body))).toBe(true);
  });

  test('recovers every delivery that failed since a given time', async () => {
    const owner = await createWebhookOwner(app);
    const { id } = await owner.createWebhook(receiver.url);
    receiver.behave(answer(500));
    const events = await owner.cause(5);
    await eventually(async () => (await owner.deliveriesOf(id, '?status=failed')).total === 5);
    receiver.behave(answer(200));
    const since = (ms: number) => ({ since: new Date(Date.now() + ms).toISOString() });
    const path = `/v1/webhooks/${id}/deliveries/recover`;
    expect(await owner.post(path, since(60_000))).toMatchObject({ status: 200, body: { recovered: 0 } });
    expect(await owner.post(path, since(-60_000))).toMatchObject({ status: 200, body: { recovered: 5 } });
    await eventually(async () => (await owner.deliveriesOf(id, '?status=delivered')).total === 5);
    expect(events.every((event) => ofEvent(event).length === 5)).toBe(true);
    expect((await owner.post(path, { since: 'yesterday' })).status).toBe(400);
  });

  test('sends a test event of any type to one webhook', async () => {
    const owner = await createWebhookOwner(app);
    const { id } = await owner.createWebhook(receiver.url);
    await owner.createWebhook(`${receiver.url}/other`, { events: ['message.created'] });
    const tested = await owner.post(`/v1/webhooks/${id}/test`, { event_type: 'message.created' });
    expect(tested).toMatchObject({ status: 200, body: { event_type: 'message.created', status: 'pending' } });
    const plain = await owner.post(`/v1/webhooks/${id}/test`);
    expect(plain).toMatchObject({ status: 200, body: { event_type: 'agent.created' } });
    await eventually(() => receiver.received.length === 2);
    expect(ofEvent(tested.body.event_id)[0]!.event.data).toMatchObject({
      role: 'user',
      conversation_id: expect.any(String),
    });
    expect((await owner.post(`/v1/webhooks/${id}/test`, { event_type: 'nothing.happened' })).status).toBe(400);
  });

  test('lists deliveries newest first, filtered by status and event type, in pages', async () => {
    const owner = await createWebhookOwner(app);
    const { id } = await owner.createWebhook(receiver.url, { events: ['agent.created', 'agent.deleted'] });
    await owner.cause(3);
    await eventually(async () => (await owner.deliveriesOf(id, '?status=delivered')).total === 3);
    const agent = await app.createAgent(owner.token);
    await app.call('DELETE', `/v1/agents/${agent.id}`, { as: owner.token });
    await eventually(async () => (await owner.deliveriesOf(id, '?status=delivered')).total === 5);
    const all = await owner.deliveriesOf(id);
    expect(all).toMatchObject({ total: 5, limit: 20, offset: 0 });
    expect(all.data[0].event_type).toBe('agent.deleted');
    expect(Object.keys(all.data[0]).sort()).toEqual(
      ['attempts', 'created_at', 'event_id', 'event_type', 'id', 'next_attempt_at', 'status'].sort(),
    );
    expect((await owner.deliveriesOf(id, '?limit=2&offset=1')).data).toEqual(all.data.slice(1, 3));
    expect(await owner.deliveriesOf(id, '?event_type=agent.deleted')).toMatchObject({ total: 1 });
    expect(await owner.deliveriesOf(id, '?status=failed')).toMatchObject({ total: 0, data: [] });
    expect((await app.call('GET', `/v1/webhooks/${id}/deliveries?status=lost`, { as: owner.token })).status).toBe(400);

    const stats = await app.call('GET', `/v1/webhooks/${id}/stats`, { as: owner.token });
    expect(stats.body).toMatchObject({
      delivered: 5,
      failed: 0,
      attempts: 5,
      failed_attempts: 0,
      success_rate: 1,
      consecutive_failures: 0,
    });
  });

  test('rotates the secret, with both signatures for a while', async () => {
    const owner = await createWebhookOwner(app);
    const made = await owner.createWebhook(receiver.url, { secret: 'an-owner-chosen-secret' });
    await owner.cause(1);
    await eventually(() => receiver.received.length === 1);
    const rotated = await owner.post(`/v1/webhooks/${made.id}/rotate-secret`);
    expect(rotated).toMatchObject({ status: 200, body: { ...made, secret: expect.stringMatching(/^whsec_/) } });
    await owner.cause(1);
    const { headers, body } = await eventually(() => receiver.received[1]);
    expect(headers['x-agent-signature']).toBe(createHmac('sha256', rotated.body.secret).update(body).digest('hex'));
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body.toString()}`;
    const keys = [Buffer.from(rotated.body.secret.slice(6), 'base64'), Buffer.from('an-owner-chosen-secret')];
    expect(headers['webhook-signature']!.split(' ')).toEqual(
      keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`),
    );
    await app.db.query(
      `update webhooks set previous_secret_expires_at = now() - interval '1 s', revision = revision + 1`,
    );
    await owner.cause(1);
    const { headers: later } = await eventually(() => receiver.received[2]);
    expect(later['webhook-signature']!.split(' ')).toHaveLength(1);
  });

  test('cannot access another user’s webhook', async () => {
    const [owner, stranger] = [await createWebhookOwner(app), await createWebhookOwner(app)];
    const { id } = await owner.createWebhook(receiver.url);
    await owner.cause(1);
    const { id: deliveryId } = await owner.deliveryWith(id, 'delivered');
    const mine = (await stranger.createWebhook(receiver.url)).id;
    const tries: [string, string, object?][] = [
      ['GET', `/v1/webhooks/${id}`],
      ['PUT', `/v1/webhooks/${id}`, { active: false }],
      ['DELETE', `/v1/webhooks/${id}`],
      ['GET', `/v1/webhooks/${id}/deliveries`],
      ['GET', `/v1/webhooks/${id}/stats`],
      ['POST', `/v1/webhooks/${id}/test`, {}],
      ['POST', `/v1/webhooks/${id}/rotate-secret`],
      ['POST', `/v1/webhooks/${id}/deliveries/recover`, { since: new Date().toISOString() }],
      ['POST', `/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`],
      ['POST', `/v1/webhooks/${mine}/deliveries/${deliveryId}/redeliver`],
      ['GET', '/v1/webhooks/nonsense'],
    ];
    for (const [method, path, body] of tries) {
      const { status, body: error } = await app.call(method, path, { as: stranger.token, body });
      expect([path, status, error.error.code]).toEqual([path, 404, 'not_found']);
    }
    expect((await owner.webhook(id)).active).toBe(true);
  });
});
