import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import type { Sql } from '../../core/database/sql.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import type { Delivery, DeliveryStatus } from './delivery.ts';
import { WebhookDelivery } from './webhook-delivery.entity.ts';
import type { Webhook } from '../webhook.entity.ts';
import { listDeliveriesInput } from '../webhook.input.ts';
import { getWebhook } from '../webhooks.ts';
import { onReplica } from '../../core/database/replica.ts';

/** Maximum total that is counted, to limit the cost. */
const maxCounted = 10_000;

const columns = `${columnsOf(WebhookDelivery, 'd', {
  only: ['id', 'webhookId', 'eventId', 'eventType', 'status', 'attempts', 'createdAt'],
})}, case when d.status = 'pending' and d.lease_token is null then d.due_at end as "nextAttemptAt"`;

/**
 * Number of deliveries that a filter by status or type examines, which limits the cost of a filter that matches few.
 */
const maxFiltered = 20_000;

const inPeriod = `created_at >= coalesce($4::timestamptz, '-infinity') and created_at < coalesce($5::timestamptz, 'infinity')`;
const matches = `($2::text is null or d.status = $2) and ($3::text is null or d.event_type = $3)`;
const newest = (condition = '', order = 'created_at desc, id desc'): string => `(
  select * from webhook_deliveries where webhook_id = $1 ${condition} and ${inPeriod} order by ${order} limit ${maxFiltered}
) d where ${matches}`;

const all = listOf(
  'all',
  `(select * from webhook_deliveries where webhook_id = $1) d where ${matches} and ${inPeriod}`,
);
const filtered = listOf('filtered', newest());
const failed = listOf('failed', newest(`and status in ('failed', 'skipped')`));
/** The list to search for each status: a partial index where there is one. */
const lists: Record<DeliveryStatus, ReturnType<typeof listOf>> = {
  pending: listOf('pending', newest(`and status = 'pending'`, 'due_at, id')),
  delivered: filtered,
  failed,
  skipped: failed,
};

function listOf(name: string, from: string) {
  const list = orderedList<Delivery>({
    name: `webhook_deliveries_${name}`,
    cursor: 'webhook_deliveries_list',
    columns,
    from,
    valueCount: 5,
    key: { column: 'd.created_at', kind: 'time', of: (delivery) => delivery.createdAt },
    id: { column: 'd.id', of: ({ id }) => id },
  });
  const count = {
    name: `webhook_deliveries_${name}_count`,
    text: `select count(*) as total from (select from ${from} limit ${maxCounted}) counted`,
  };
  return { list, count };
}

function listFor(status?: DeliveryStatus | null, eventType?: string | null): ReturnType<typeof listOf> {
  if (status) return lists[status];
  return eventType ? filtered : all;
}

/**
 * Lists deliveries of one of the caller's webhooks, newest first. `total` is counted up to 10,000. A filter by status
 * or type examines at most 20,000 deliveries of the period: the newest failed and skipped ones for these two statuses,
 * the pending ones due first for `pending`, and otherwise the newest ones. Reads from a replica if there is one.
 * @throws AppError `invalid_request`, `not_found`
 */
export const listDeliveries = onReplica(
  async (ctx: Ctx, webhookId: string, input: unknown): Promise<Page<Delivery>> => {
    const { status, eventType, since, until, ...page } = parseInput(listDeliveriesInput(ctx.catalog.eventTypes), input);
    const { id } = await getWebhook(ctx, webhookId);
    const { list, count } = listFor(status, eventType);
    const filter = [id, status ?? null, eventType ?? null, since ?? null, until ?? null];
    return withTotal(ctx, readSlice(ctx, list, filter, page), page, count, filter);
  },
);

const select = {
  name: 'webhook_delivery_get',
  text: `select ${columns} from webhook_deliveries d where d.webhook_id = $1 and d.id = $2`,
};

/**
 * Returns a delivery of the webhook.
 * @throws AppError `not_found`
 */
export async function getDelivery(ctx: Ctx, { id }: Webhook, deliveryId: string): Promise<Delivery> {
  const [delivery] = isId('dlv_', deliveryId) ? await ctx.sql<Delivery>(select, [id, deliveryId]) : [];
  if (!delivery) throw notFound();
  return delivery;
}

/**
 * Returns a delivery of one of the caller's webhooks.
 * @throws AppError `not_found`
 */
export const findDelivery = async (ctx: Ctx, webhookId: string, deliveryId: string): Promise<Delivery> =>
  getDelivery(ctx, await getWebhook(ctx, webhookId), deliveryId);

const selectMany = {
  name: 'webhook_deliveries_by_ids',
  text: `select ${columns} from webhook_deliveries d where d.webhook_id = $1 and d.id = any ($2) and d.created_at >= $3`,
};

/** Returns deliveries of a webhook by their keys, in no particular order. Performs no authorization check. */
export function deliveriesByIds(
  sql: Sql,
  webhookId: string,
  keys: readonly Pick<Delivery, 'id' | 'createdAt'>[],
): Promise<Delivery[]> {
  return sql<Delivery>(selectMany, [webhookId, keys.map(({ id }) => id), oldestOf(keys)]);
}

/** Returns the earliest creation time of the keys. As a condition, it excludes older partitions. */
export const oldestOf = (keys: readonly Pick<Delivery, 'createdAt'>[]): Date =>
  keys.reduce((oldest, { createdAt }) => (createdAt < oldest ? createdAt : oldest), keys[0]?.createdAt ?? new Date(0));

/**
 * Returns one of the caller's webhooks that is active.
 * @throws AppError `not_found`, `conflict` while it is disabled
 */
export async function getActiveWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  const webhook = await getWebhook(ctx, id);
  if (webhook.active) return webhook;
  throw new AppError('conflict', { message: 'The webhook is disabled. Enable it first with `active: true`.' });
}
