/**
 * Returns a statement that adds the rows of `source` (webhook_id, status, attempts) to the counts of the current hour.
 * Rows are written in webhook order, like all locks on webhooks, to prevent deadlocks.
 */
export const countInHour = (source: string): string => `
  insert into webhook_hours as h (webhook_id, hour, delivered, failed, skipped, attempts, last_delivered_at, last_failed_at)
  select webhook_id, date_trunc('hour', now(), 'UTC'), count(*) filter (where status = 'delivered'),
    count(*) filter (where status = 'failed'), count(*) filter (where status = 'skipped'), sum(attempts),
    case when bool_or(status = 'delivered') then now() end, case when bool_or(status = 'failed') then now() end
  from ${source} group by webhook_id order by webhook_id
  on conflict (webhook_id, hour) do update set
    delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed,
    skipped = h.skipped + excluded.skipped, attempts = h.attempts + excluded.attempts,
    last_delivered_at = coalesce(excluded.last_delivered_at, h.last_delivered_at),
    last_failed_at = coalesce(excluded.last_failed_at, h.last_failed_at)`;
