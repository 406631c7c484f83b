import type { Ctx } from '../core/ctx.ts';
import { purgeInBatches } from '../core/purge.ts';

const dayMs = 24 * 3_600_000;

const purgeDone = {
  name: 'purge_webhook_deliveries',
  text: `
    delete from webhook_deliveries where id in (
      select d.id from webhooks w cross join lateral (
        select id from webhook_deliveries
        where webhook_id = w.id and created_at < $1 and status <> 'pending' order by created_at limit $2
      ) d limit $2)
    returning 1`,
};

// The first rows are the oldest: when they stay, so do all.
const purgeDispatched = {
  name: 'purge_outbox_events',
  text: `
    delete from outbox_events where seq in (
      select seq from (select seq, created_at, dispatched_at from outbox_events order by seq limit $2) oldest
      where created_at < $1 and dispatched_at is not null and not exists (select from outbox_queue q where q.seq = oldest.seq))
    returning 1`,
};

/**
 * Forgets deliveries that are done and older than the retention, then events that are a day older still, so that
 * whatever may be sent again has its event. Answers how many rows went.
 */
export async function purgeDeliveries(ctx: Ctx, signal: AbortSignal): Promise<number> {
  const before = ctx.clock.now().getTime() - ctx.config.webhooks.retentionDays * dayMs;
  const deliveries = await purgeInBatches(ctx, purgeDone, new Date(before), signal);
  return deliveries + (await purgeInBatches(ctx, purgeDispatched, new Date(before - dayMs), signal));
}
