import { Migration } from '@mikro-orm/migrations';

/** Webhooks, and one row for each event that goes to one of them. */
export class Migration0003Webhooks extends Migration {
  override up(): void {
    this.addSql(webhooks);
  }
}

const webhooks = `
create table webhooks (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  -- Encrypted. The previous secret signs too until its time is over.
  secret text not null,
  secret_is_generated boolean not null,
  previous_secret text,
  previous_secret_is_generated boolean,
  previous_secret_expires_at timestamptz(3),
  -- Grows when url or secrets change: what a process remembers of an endpoint holds for one revision.
  revision integer not null default 1,
  active boolean not null default true,
  disabled_reason text check (disabled_reason in ('failures', 'gone', 'owner')),
  disabled_at timestamptz(3),
  consecutive_failures integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (fillfactor = 70);
create index webhooks_user_idx on webhooks (user_id, created_at desc, id desc);

-- Signed bytes must be read as they were written: jsonb would reorder the keys.
alter table outbox_events alter column data type json using data::json;
-- An event that is for one webhook only: a test. Its delivery is written with it.
alter table outbox_events add column only_webhook_id text collate "C";

create table webhook_deliveries (
  id text collate "C" primary key,
  webhook_id text collate "C" not null references webhooks on delete cascade,
  event_id text collate "C" not null,
  event_type text not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'skipped')),
  due_at timestamptz(3) not null,
  -- Someone is at it. In no index, so that taking a row and giving it back writes to none.
  lease_token text,
  lease_until timestamptz(3),
  -- Counted when a try is claimed, so that a process that dies with it has used it up.
  attempt_count integer not null default 0,
  -- Attempts before the last redelivery on request; a round has a limit, the row has none.
  earlier_attempt_count integer not null default 0,
  attempted_at timestamptz(3),
  attempts jsonb not null default '[]',
  created_at timestamptz(3) not null,
  finished_at timestamptz(3)
) with (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
create index webhook_deliveries_due_idx on webhook_deliveries (webhook_id, due_at, id) where status = 'pending';
create index webhook_deliveries_list_idx on webhook_deliveries (webhook_id, created_at desc, id desc);
`;
