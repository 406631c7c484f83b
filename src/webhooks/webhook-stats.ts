import type { Ctx } from '../core/ctx.ts';
import { getWebhook } from './webhooks.ts';

/** How a webhook's deliveries of the last 24 hours went. */
export interface WebhookStats {
  webhookId: string;
  /** From here to now. */
  since: Date;
  pending: number;
  delivered: number;
  failed: number;
  skipped: number;
  attempts: number;
  /** Delivered among those that are delivered or failed, 0 to 1; null when there are none. */
  successRate: number | null;
  /** Of the last attempts; null when there were none. */
  medianDurationMs: number | null;
  p95DurationMs: number | null;
  lastDeliveredAt: Date | null;
  lastFailedAt: Date | null;
  /** Failed attempts since the last success. At 100 the webhook is disabled. */
  consecutiveFailures: number;
}

type Row = Omit<WebhookStats, 'webhookId' | 'since' | 'successRate' | 'consecutiveFailures'>;

const select = {
  name: 'webhook_stats',
  text: `
    select count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'delivered') as delivered,
      count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'skipped') as skipped,
      coalesce(sum(attempt_count), 0) as attempts,
      percentile_disc(0.5) within group (order by (attempts -> -1 ->> 'durationMs')::int) as "medianDurationMs",
      percentile_disc(0.95) within group (order by (attempts -> -1 ->> 'durationMs')::int) as "p95DurationMs",
      max(finished_at) filter (where status = 'delivered') as "lastDeliveredAt",
      max(finished_at) filter (where status = 'failed') as "lastFailedAt"
    from webhook_deliveries where webhook_id = $1 and created_at >= $2`,
};

const windowMs = 24 * 60 * 60 * 1_000;

/** @throws AppError `not_found` */
export async function getWebhookStats(ctx: Ctx, webhookId: string): Promise<WebhookStats> {
  const { id, consecutiveFailures } = await getWebhook(ctx, webhookId);
  const since = new Date(ctx.clock.now().getTime() - windowMs);
  const [row] = await ctx.sql<Row>(select, [id, since]);
  if (!row) throw new Error('an aggregate without a row');
  const ended = row.delivered + row.failed;
  return { webhookId: id, since, ...row, successRate: ended === 0 ? null : row.delivered / ended, consecutiveFailures };
}
