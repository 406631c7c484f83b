import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalog } from '../../src/app/features.ts';
import { runDueTasks } from '../../src/core/tasks/task-runner.ts';
import { measureDueDeliveries } from '../../src/webhooks/dispatch/due-deliveries.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createWebhookOwner } from '../support/webhook-account.ts';

/** A web instance sends nothing, so rows stay as a test writes them. */
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'web' } });
});
afterAll(() => app?.close());

const url = 'https://127.0.0.1:9443/';
const systemCtx = () => app.app.newCtx({ kind: 'system' });

async function createLargeWebhook(count: number, status: string) {
  const owner = await createWebhookOwner(app);
  const { id } = await owner.createWebhook(url);
  await app.db.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at)
     select 'dlv_' || gen_random_uuid(), $1, 'evt_x', 'agent.created', $3, now(), date_trunc('milliseconds', now()) - n * interval '1 ms'
     from generate_series(1, $2::int) n`,
    [id, count, status],
  );
  return { owner, id: id as string };
}

const countOf = async (id: string): Promise<number> =>
  (await app.db.query('select count(*)::int as n from webhook_deliveries where webhook_id = $1', [id])).rows[0].n;

describe('a webhook with many deliveries', () => {
  test('is deleted at once, and its deliveries are removed in batches', async () => {
    const { owner, id } = await createLargeWebhook(5_000, 'failed');
    expect(await owner.post(`/v1/webhooks/${id}/test`, {})).toMatchObject({ status: 200 });
    const deleted = await app.call('DELETE', `/v1/webhooks/${id}`, { as: owner.token });
    expect(deleted).toMatchObject({ status: 200, body: { id, deleted: true } });
    expect(await countOf(id)).toBe(5_001);

    for (const path of [`/v1/webhooks/${id}`, `/v1/webhooks/${id}/deliveries`, `/v1/webhooks/${id}/stats`])
      expect((await app.call('GET', path, { as: owner.token })).status).toBe(404);
    expect((await app.call('GET', '/v1/webhooks', { as: owner.token })).body).toEqual({ data: [], total: 0 });
    expect((await app.call('DELETE', `/v1/webhooks/${id}`, { as: owner.token })).status).toBe(404);

    await runDueTasks(
      catalog.jobs.filter(({ kind }) => kind === 'webhook.remove'),
      { newCtx: systemCtx },
    );
    expect(await countOf(id)).toBe(0);
    expect((await app.db.query('select from webhooks where id = $1', [id])).rowCount).toBe(0);
  });

  test('counts its deliveries up to 10,000', async () => {
    const { owner, id } = await createLargeWebhook(10_500, 'delivered');
    expect(await owner.deliveriesOf(id, '?limit=2')).toMatchObject({ total: 10_000, data: [{}, {}] });
    expect(await owner.deliveriesOf(id, '?status=failed')).toMatchObject({ total: 0 });
  });

  test('has statistics that do not read the deliveries', async () => {
    const { owner, id } = await createLargeWebhook(1, 'delivered');
    await app.db.query(
      `insert into webhook_hours (webhook_id, hour, delivered, failed, skipped, attempts, last_delivered_at)
       select $1, date_trunc('hour', now(), 'UTC') - n * interval '1 hour', 900000, 100000, 7, 1200000, now() - n * interval '1 hour'
       from unnest(array[0, 23, 24]) n`,
      [id],
    );
    const { body } = await app.call('GET', `/v1/webhooks/${id}/stats`, { as: owner.token });
    expect(body).toMatchObject({
      delivered: 1_800_000,
      failed: 200_000,
      skipped: 14,
      attempts: 2_400_000,
      failed_attempts: 600_000,
      success_rate: 0.9,
      pending: 0,
    });
  });

  test('recovers each delivery once, even when it is skipped again meanwhile', async () => {
    const { owner, id } = await createLargeWebhook(6_000, 'failed');
    await app.db.query(`
      create table recovered (id text);
      create function skip_again() returns trigger language plpgsql as $$
      begin insert into recovered values (new.id); new.status := 'skipped'; return new; end $$;
      create trigger skip_again before update on webhook_deliveries for each row when (new.status = 'pending')
        execute function skip_again()`);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const answer = await owner.post(`/v1/webhooks/${id}/deliveries/recover`, { since });
    await app.db.query('drop trigger skip_again on webhook_deliveries');
    expect(answer).toMatchObject({ status: 200, body: { recovered: 6_000, next_since: null } });
    const { rows } = await app.db.query(
      'select count(*)::int as n, count(distinct id)::int as different from recovered',
    );
    expect(rows).toEqual([{ n: 6_000, different: 6_000 }]);
  });

  test('recovers 20,000 deliveries a request, and returns where the next one continues', async () => {
    const { owner, id } = await createLargeWebhook(21_000, 'failed');
    const path = `/v1/webhooks/${id}/deliveries/recover`;
    const first = await owner.post(path, { since: new Date(0).toISOString() });
    expect(first).toMatchObject({ status: 200, body: { recovered: 20_000, next_since: expect.any(String) } });
    const rest = await owner.post(path, { since: first.body.next_since });
    expect(rest.body.next_since).toBeNull();
    expect(rest.body.recovered).toBeGreaterThanOrEqual(1_000);
  });

  test('shows the age of its oldest due delivery behind many others', async () => {
    const { id } = await createLargeWebhook(1_500, 'pending');
    await app.db.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at)
       values ('dlv_stuck', $1, 'evt_x', 'agent.created', 'pending', now() - interval '2 hours', now())`,
      [id],
    );
    const { count, oldestSeconds } = await measureDueDeliveries(systemCtx());
    expect(count).toBe(1_000);
    expect(oldestSeconds).toBeGreaterThan(7_100);
  });
});

describe('an event', () => {
  const queued = async () => (await app.db.query('select from outbox_queue')).rowCount;

  test('is enqueued for the dispatcher only when a webhook of the account subscribes to its type', async () => {
    const owner = await createWebhookOwner(app);
    const before = (await queued()) ?? 0;
    const { id: agentId } = await app.createAgent(owner.token);
    const change = async () => {
      const body = { name: 'Ada' };
      const { status } = await app.call('PUT', `/v1/agents/${agentId}`, { as: owner.token, body });
      expect(status).toBe(200);
    };
    const { id } = await owner.createWebhook(url, { events: ['agent.deleted'] });
    await change();
    expect(await queued()).toBe(before);
    await owner.update(id, { events: ['agent.updated'] });
    await change();
    expect(await queued()).toBe(before + 1);
    await app.call('DELETE', `/v1/webhooks/${id}`, { as: owner.token });
    await change();
    expect(await queued()).toBe(before + 1);
  });
});
