import { Migration } from '@mikro-orm/migrations';

/** Indexes for removing what has a retention: by age, and failed tasks by the account that they name. */
export class Migration0018Retention extends Migration {
  override up(): void {
    this.addSql(`
      create index tasks_failed_key_idx on tasks (key) where state = 'failed' and key is not null;
      create index usage_counters_day_idx on usage_counters (day);
      create index integration_notices_noticed_idx on integration_notices (noticed_at);
      create index data_exports_completed_idx on data_exports (completed_at) where status in ('expired', 'failed');
      create index api_keys_ended_idx on api_keys (least(revoked_at, expires_at))
        where revoked_at is not null or expires_at is not null;
      create index users_leaving_idx on users (id) where deletion_requested_at is not null;
    `);
  }
}
