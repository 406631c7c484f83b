import { expect, test } from 'vitest';
import { readEvents } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhookOwner } from '../support/webhook-account.ts';
import { answer } from '../support/webhook-receiver.ts';
import { openWebhookLab } from './webhook-lab.ts';

const { app, receiver, ofEvent } = await openWebhookLab();

test('a webhook has a description that can be changed and removed', async () => {
  const owner = await createWebhookOwner(app);
  const { id, description } = await owner.createWebhook(receiver.url, { description: '  Orders ' });
  expect(description).toBe('Orders');
  expect((await owner.update(id, { description: 'Stock' })).description).toBe('Stock');
  expect(await owner.update(id, { description: null })).not.toHaveProperty('description');
  const long = await app.call('PUT', `/v1/webhooks/${id}`, { as: owner.token, body: { description: 'x'.repeat(201) } });
  expect([long.status, long.body.error.details[0].field]).toEqual([400, 'description']);
});

test('a delivery shows its event and its request, byte for byte and without signatures', async () => {
  const owner = await createWebhookOwner(app);
  const { id } = await owner.createWebhook(receiver.url);
  const [event] = await owner.cause(1);
  const delivery = await owner.deliveryWith(id, 'delivered');
  const { body: read } = await app.call('GET', `/v1/webhooks/${id}/deliveries/${delivery.id}`, { as: owner.token });
  expect(read).toEqual(delivery);
  const query = `query ($webhookId: ID!, $id: ID!) { webhookDelivery(webhookId: $webhookId, id: $id) {
    event { id type data } request { headers { name value } body } } }`;
  const shown = (await app.graphql(query, { as: owner.token, variables: { webhookId: id, id: delivery.id } })).body.data
    .webhookDelivery;
  const [sent] = ofEvent(event!);
  expect(shown.event).toEqual({ id: event, type: 'AGENT_CREATED', data: { n: 1 } });
  expect(shown.request.body).toBe(sent!.body.toString());
  for (const { name, value } of shown.request.headers) expect([name, sent!.headers[name]]).toEqual([name, value]);
  expect(JSON.stringify(shown)).not.toContain(sent!.headers['x-agent-signature']);
  expect(shown.request.headers.map(({ name }: { name: string }) => name)).not.toContain('webhook-signature');
});

test('deliveries are listed by the time of their creation', async () => {
  const owner = await createWebhookOwner(app);
  const { id } = await owner.createWebhook(receiver.url);
  await owner.cause(1);
  const first = await owner.deliveryWith(id, 'delivered');
  await owner.cause(1);
  const all = await eventually(async () => {
    const page = await owner.deliveriesOf(id);
    return page.data.length === 2 ? page.data : null;
  });
  const after = new Date(Date.parse(first.created_at) + 1).toISOString();
  expect((await owner.deliveriesOf(id, `?since=${after}`)).data.map((one: { id: string }) => one.id)).toEqual(
    all.filter((one: { created_at: string }) => one.created_at >= after).map((one: { id: string }) => one.id),
  );
  expect((await owner.deliveriesOf(id, `?until=${first.created_at}`)).total).toBe(0);
  expect((await owner.deliveriesOf(id, `?since=${first.created_at}`)).total).toBe(2);
});

test('statistics over time have the same numbers as the totals', async () => {
  const owner = await createWebhookOwner(app);
  const { id } = await owner.createWebhook(receiver.url);
  await owner.cause(3);
  await eventually(async () => (await owner.deliveriesOf(id, '?status=delivered')).total === 3);
  receiver.behave(answer(500));
  await owner.cause(1);
  await owner.deliveryWith(id, 'failed');
  receiver.behave(answer(200));
  const query = `query ($id: ID!, $bucket: StatsBucket, $since: DateTimeISO) {
    webhookStats(id: $id) { delivered failed attempts failedAttempts series(bucket: $bucket, since: $since) {
      start delivered failed skipped attempts failedAttempts p95DurationMs } }
    webhooks { data { id hours { delivered failed } } } }`;
  const read = async (variables: object) =>
    (await app.graphql(query, { as: owner.token, variables: { id, ...variables } })).body;
  const { data } = await read({});
  const { series, ...totals } = data.webhookStats;
  expect(series).toHaveLength(24);
  const sum = (name: string) =>
    series.reduce((total: number, point: Record<string, number>) => total + point[name]!, 0);
  expect(Object.fromEntries(Object.keys(totals).map((name) => [name, sum(name)]))).toEqual(totals);
  expect(totals).toEqual({ delivered: 3, failed: 1, attempts: 7, failedAttempts: 4 });
  expect(
    Math.max(...series.map((point: { p95DurationMs: number | null }) => point.p95DurationMs ?? 0)),
  ).toBeGreaterThan(0);
  const hours = data.webhooks.data[0].hours as { delivered: number; failed: number }[];
  expect(hours.reduce((total, hour) => total + hour.delivered * 10 + hour.failed, 0)).toBe(31);
  const days = (await read({ bucket: 'DAY' })).data.webhookStats.series;
  expect([days.length, days.at(-1).delivered + days.at(-2).delivered]).toEqual([30, 3]);
  const refused = await read({ since: new Date(Date.now() - 40 * 86_400_000).toISOString() });
  expect(refused.errors[0].extensions.details[0].field).toBe('since');
});

test('followers of a webhook see its deliveries appear and change, through one reader', async () => {
  const owner = await createWebhookOwner(app);
  const { id } = await owner.createWebhook(receiver.url);
  const left = new AbortController();
  const query = `subscription { webhookDeliveryUpdates(webhookId: "${id}") { id status attempts { status } event { id } } }`;
  const follow = async () => readEvents(await app.subscribe({ query }, { as: owner.token, signal: left.signal }));
  const followers = [await follow(), await follow()];
  const seen = followers.map(() => [] as { id: string; status: string; event: { id: string } }[]);
  const reading = followers.map(async (stream, index) => {
    for await (const { data } of stream) {
      const update = data?.data?.webhookDeliveryUpdates;
      if (update) seen[index]!.push(update);
    }
  });
  // The first read determines where the updates start.
  const [event] = await eventually(
    async () => {
      const events = await owner.cause(1);
      await eventually(() => seen.every((updates) => updates.length > 0), { timeoutMs: 3_000 });
      return events;
    },
    { timeoutMs: 10_000 },
  );
  await eventually(() => seen.every((updates) => updates.some(({ status }) => status === 'DELIVERED')));
  expect(seen.flat().some((update) => update.event.id === event)).toBe(true);
  await app.call('DELETE', `/v1/webhooks/${id}`, { as: owner.token });
  // Deleting the webhook ends both streams.
  await Promise.all(reading);
  left.abort();
});

test('recent events are listed newest first, by type and subject, in pages', async () => {
  const owner = await createWebhookOwner(app);
  const made = await owner.cause(5);
  await app.createAgent(owner.token);
  const read = async (query = '') => (await app.call('GET', `/v1/events${query}`, { as: owner.token })).body;
  const all = await read();
  expect(all.data).toHaveLength(6);
  expect(all.data[0].type).toBe('agent.created');
  const pages: string[] = [];
  for (let before = ''; pages.length < 20;) {
    const page = await read(`?limit=2${before && `&before=${before}`}`);
    pages.push(...page.data.map((event: { id: string }) => event.id));
    if (!page.page_info.has_next_page) break;
    before = page.page_info.end_cursor;
  }
  expect(pages).toEqual(all.data.map((event: { id: string }) => event.id));
  expect(pages.slice(1).toSorted()).toEqual(made.toSorted());
  expect((await read('?types=message.created')).data).toEqual([]);
  const [{ data: newest }] = all.data;
  expect((await read(`?subject=${newest.id}`)).data).toEqual([all.data[0]]);
  expect((await read(`?subject=${newest.id}&types=message.created`)).data).toEqual([]);
  expect((await read(`?subject=${newest.id}&before=${all.data[0].id}`)).data).toEqual([]);
  const other = await app.signUp();
  const foreign = await app.call('GET', `/v1/events?before=${made[0]}`, { as: other.token });
  expect([foreign.status, foreign.body.error.details[0].field]).toEqual([400, 'before']);
  expect(foreign.body.error.message).toBe('before must be the id of one of your events');
});
