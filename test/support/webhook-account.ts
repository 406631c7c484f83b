import { outboxKind } from '../../src/core/outbox.ts';
import { eventually } from './eventually.ts';
import { expectStatus } from './client.ts';
import type { TestApp } from './app.ts';

export type WebhookOwner = Awaited<ReturnType<typeof createWebhookOwner>>;

/** Signs up an account, with functions to create and use its webhooks. */
export async function createWebhookOwner(app: TestApp) {
  const account = await app.signUp();
  const as = account.token;
  const deliveriesOf = async (id: string, query = '') =>
    expectStatus(await app.call('GET', `/v1/webhooks/${id}/deliveries${query}`, { as }), 200).body;
  return {
    ...account,
    createWebhook: async (url: string, fields: object = {}) =>
      expectStatus(
        await app.call('POST', '/v1/webhooks', { as, body: { url, events: ['agent.created'], ...fields } }),
        201,
      ).body,
    webhook: async (id: string) => expectStatus(await app.call('GET', `/v1/webhooks/${id}`, { as }), 200).body,
    update: async (id: string, body: object) =>
      expectStatus(await app.call('PUT', `/v1/webhooks/${id}`, { as, body }), 200).body,
    /** Causes events without reaching a limit of the plan. */
    cause: (count: number) => causeEvents(app, account.id, count),
    deliveriesOf,
    /** Waits until the newest delivery has this status. */
    deliveryWith: (id: string, status: string) =>
      eventually(async () => (await deliveriesOf(id, `?status=${status}&limit=1`)).data[0], {
        what: `a ${status} one`,
      }),
    post: (path: string, body?: object) => app.call('POST', path, { as, body }),
  };
}

/** Inserts `count` events of type agent.created in one transaction, without the service. Returns their ids. */
async function causeEvents(app: TestApp, accountId: string, count: number): Promise<string[]> {
  const { rows } = await app.db.query<{ id: string }>(
    `insert into outbox_events (id, account_id, type, data, created_at)
     select 'evt_' || gen_random_uuid(), $1, 'agent.created', json_build_object('n', n), now() from generate_series(1, $2::int) n
     returning id`,
    [accountId, count],
  );
  app.app.newCtx({ kind: 'system' }).ports.tasks.wake(outboxKind);
  return rows.map(({ id }) => id);
}
