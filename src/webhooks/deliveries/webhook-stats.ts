import type { Ctx } from '../../core/ctx.ts';
import { getWebhook } from '../webhooks.ts';
import { onReplica } from '../../core/database/replica.ts';

/** The outcomes of a webhook's deliveries in the last 24 hours. */
export interface WebhookStats {
  webhookId: string;
  /** Start of the first of the 24 clock hours, which include the current one. */
  since: Date;
  /** Number of deliveries pending now, regardless of their age; counted up to 10,000. */
  pending: number;
  delivered: number;
  failed: number;
  skipped: number;
  attempts: number;
  /** Attempts without a successful response, including those of deliveries that a retry delivered. */
  failedAttempts: number;
  /** Delivered as a share of delivered and failed, from 0 to 1; null when both are 0. */
  successRate: number | null;
  /** Median duration of last attempts, over the newest 1,000 deliveries; null without any. */
  medianDurationMs: number | null;
  p95DurationMs: number | null;
  lastDeliveredAt: Date | null;
  lastFailedAt: Date | null;
  /** Number of failed attempts since the last success. At 100 the webhook is disabled. */
  consecutiveFailures: number;
}

type Row = Omit<WebhookStats, 'webhookId' | 'successRate' | 'consecutiveFailures'>;

const maxPending = 10_000;
const maxDurations = 1_000;

// The cost is independent of the number of deliveries, because the hourly counts are updated when outcomes are
// recorded.
const select = {
  name: 'webhook_stats',
  text: `
    with period as materialized (select date_trunc('hour', now(), 'UTC') - interval '23 hours' as since),
    hours as (
      select coalesce(sum(delivered), 0) as delivered, coalesce(sum(failed), 0) as failed, coalesce(sum(skipped), 0) as skipped,
        coalesce(sum(attempts), 0) as attempts, coalesce(sum(attempts - delivered), 0) as "failedAttempts",
        max(last_delivered_at) as "lastDeliveredAt", max(last_failed_at) as "lastFailedAt"
      from webhook_hours where webhook_id = $1 and hour >= (select since from period)
    ),
    pending as (
      select count(*) as pending from (
        select from webhook_deliveries where webhook_id = $1 and status = 'pending' limit ${maxPending}) p
    ),
    durations as (
      select percentile_disc(0.5) within group (order by ms) as "medianDurationMs",
        percentile_disc(0.95) within group (order by ms) as "p95DurationMs"
      from (
        select (attempts -> -1 ->> 'durationMs')::int as ms from webhook_deliveries
        where webhook_id = $1 and created_at >= (select since from period) order by created_at desc, id desc limit ${maxDurations}
      ) newest
    )
    select period.since, hours.*, pending.*, durations.* from period, hours, pending, durations`,
};

/**
 * Returns the statistics of one of the caller's webhooks. Reads from a replica if there is one.
 * @throws AppError `not_found`
 */
export const getWebhookStats = onReplica(async (ctx: Ctx, webhookId: string): Promise<WebhookStats> => {
  const { id, consecutiveFailures } = await getWebhook(ctx, webhookId);
  const [row] = await ctx.sql<Row>(select, [id]);
  if (!row) throw new Error('an aggregate returned no row');
  const ended = row.delivered + row.failed;
  return { webhookId: id, ...row, successRate: ended === 0 ? null : row.delivered / ended, consecutiveFailures };
});
