import { Migration } from '@mikro-orm/migrations';

/**
 * Counts outcomes of deliveries by the hour, hides a deleted webhook at once and removes its deliveries in batches,
 * and finds out if an event has a subscriber. A secret's form determines its key, so the flag of its origin is dropped.
 */
export class Migration0023WebhookHours extends Migration {
  override up(): void {
    this.addSql(`
      alter table webhooks add column deleted_at timestamptz(3), drop column secret_is_generated,
        drop column previous_secret_is_generated, drop column older_secret_is_generated`);
    this.addSql(`create index webhooks_deleted_idx on webhooks (deleted_at) where deleted_at is not null`);
    this.addSql(`
      create table webhook_hours (
        webhook_id text collate "C" not null references webhooks on delete cascade,
        hour timestamptz(3) not null,
        delivered integer not null,
        failed integer not null,
        skipped integer not null,
        attempts integer not null,
        last_delivered_at timestamptz(3),
        last_failed_at timestamptz(3),
        primary key (webhook_id, hour)
      ) with (fillfactor = 70);
      create index webhook_hours_hour_idx on webhook_hours (hour)`);
    this.addSql(`
      insert into webhook_hours
      select webhook_id, date_trunc('hour', finished_at), count(*) filter (where status = 'delivered'),
        count(*) filter (where status = 'failed'), count(*) filter (where status = 'skipped'), sum(attempt_count),
        max(finished_at) filter (where status = 'delivered'), max(finished_at) filter (where status = 'failed')
      from webhook_deliveries where finished_at > now() - interval '25 hours' group by 1, 2`);
    // Asked for every event, so that one without a subscriber is not enqueued.
    this.addSql(`
      create function has_subscriber(account text, event_type text) returns boolean language sql stable as $$
        select exists (select from webhooks where user_id = account and event_type = any (events) and deleted_at is null)
      $$`);
  }
}
