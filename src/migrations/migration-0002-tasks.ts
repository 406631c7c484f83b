import { Migration } from '@mikro-orm/migrations';

/** The durable queue: one row for each piece of work, removed when it is done. Also indexes for purging. */
export class Migration0002Tasks extends Migration {
  override up(): void {
    this.addSql(tasks);
    this.addSql('create index refresh_tokens_expires_idx on refresh_tokens (expires_at)');
  }
}

const tasks = `
create table tasks (
  id bigint generated always as identity primary key,
  kind text collate "C" not null,
  key text collate "C",
  payload jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'running', 'failed')),
  run_at timestamptz(3) not null,
  -- Enqueued again while it was running: becomes pending with this time when it is done.
  rerun_at timestamptz(3),
  attempts integer not null default 0,
  max_attempts integer not null check (max_attempts > 0),
  lease_token text,
  lease_expires_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  check ((state = 'running') = (lease_token is not null)),
  check ((state = 'running') = (lease_expires_at is not null)),
  check ((state = 'failed') = (finished_at is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create unique index tasks_live_key on tasks (kind, key) where key is not null and state <> 'failed';
create index tasks_due_idx on tasks (kind, (coalesce(lease_expires_at, run_at)), id) where state <> 'failed';
create index tasks_failed_idx on tasks (finished_at) where state = 'failed';
`;
