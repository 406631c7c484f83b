import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startTestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let app: TestApp;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  app = await startTestApp({ env: { LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent' } });
});

afterAll(async () => {
  await app?.close();
  await receiver?.close();
});

const url = (path = '/hook') => `${receiver.url}${path}`;

async function createWebhook(as: string, fields: object = {}) {
  const body = { url: url(), events: ['agent.created'], ...fields };
  return expectStatus(await app.call('POST', '/v1/webhooks', { as, body }), 201).body;
}

const arrived = (path: string) => receiver.received.filter((one) => one.path === path);

describe('a webhook', () => {
  test('is answered with its secret once, at creation', async () => {
    const { token } = await app.signUp();
    const made = await createWebhook(token);
    expect(Object.keys(made).sort()).toEqual(['active', 'created_at', 'events', 'id', 'secret', 'url']);
    expect(made).toMatchObject({ url: url(), events: ['agent.created'], active: true });
    expect(made.id).toMatch(/^wh_[0-9a-f-]{36}$/);
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

    const { secret: _, ...shown } = made;
    expect((await app.call('GET', '/v1/webhooks', { as: token })).body).toEqual({ data: [shown], total: 1 });
    expect((await app.call('GET', `/v1/webhooks/${made.id}`, { as: token })).body).toEqual(shown);
    const changed = await app.call('PUT', `/v1/webhooks/${made.id}`, {
      as: token,
      body: { events: ['agent.deleted'] },
    });
    expect(changed).toMatchObject({ status: 200, body: { ...shown, events: ['agent.deleted'] } });
    expect(Object.keys(changed.body)).not.toContain('secret');
  });

  test('keeps its secret encrypted', async () => {
    const { token } = await app.signUp();
    const made = await createWebhook(token, { secret: 'my-own-very-secret-string' });
    expect(made.secret).toBe('my-own-very-secret-string'.replaceAll(' ', ' '));
    const { rows } = await app.db.query('select * from webhooks where id = $1', [made.id]);
    expect(JSON.stringify(rows)).not.toContain('secret-string');
  });

  test('delivers an event, signed, within 100 ms of its commit', async () => {
    const { token } = await app.signUp();
    const { secret } = await createWebhook(token, { url: url('/first') });
    const agent = await app.createAgent(token, { description: 'line\u2028separator, "quotes" and 🦉' });
    const committed = Date.now();
    const [got] = await eventually(() => (arrived('/first').length > 0 ? arrived('/first') : null));
    expect(got!.at - committed).toBeLessThan(100);
    expect(got!.event).toMatchObject({ type: 'agent.created', data: { id: agent.id, sequence: 1 } });
    expect(got!.event.id).toMatch(/^evt_/);
    expect(got!.headers['x-agent-signature']).toBe(createHmac('sha256', secret).update(got!.body).digest('hex'));
  });
});
