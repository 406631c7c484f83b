import type { RestoreStep } from '../core/feature.ts';

/**
 * Marks the pending deliveries of a restored database as `skipped`, so that they are not sent twice. Owners can
 * redeliver them.
 */
export const webhookRestore: readonly RestoreStep[] = [
  {
    counts: 'deliveries',
    sql: `
      update webhook_deliveries set status = 'skipped', finished_at = now(), lease_token = null, lease_expires_at = null
      where status = 'pending'`,
  },
  {
    // Creates the deliveries of events that were not dispatched yet, as the dispatcher would, but skipped.
    counts: 'deliveries',
    sql: `
      insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at, finished_at)
      select 'dlv_' || substr(o.id, 5, 14) || '7' || substr(gen_random_uuid()::text, 16), w.id, o.id, o.type, 'skipped',
        now(), now(), now()
      from outbox_events o join webhooks w on w.user_id = o.account_id and o.type = any (w.events) and w.deleted_at is null
      where o.dispatched_at is null or exists (select from outbox_queue q where q.seq = o.seq)`,
  },
  { counts: 'events', sql: `update outbox_events set dispatched_at = now() where dispatched_at is null` },
  { counts: 'events', sql: `delete from outbox_queue` },
  // Transaction ids of another server are not comparable with those of this one, so they are reset.
  { sql: `update outbox_events set xid = '0', xid_horizon = '0' where xid >= pg_snapshot_xmin(pg_current_snapshot())` },
];
