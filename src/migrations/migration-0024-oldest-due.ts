import { Migration } from '@mikro-orm/migrations';

/**
 * Orders due deliveries of all webhooks by an expression: on the column itself, the planner could prefer this index for a
 * claim, which reads the deliveries of one webhook.
 */
export class Migration0024OldestDue extends Migration {
  override up(): void {
    this.addSql(`drop index webhook_deliveries_oldest_idx`);
    this.addSql(`
      create index webhook_deliveries_oldest_idx on webhook_deliveries ((due_at - timestamptz '2000-01-01 00:00:00+00'))
        where status = 'pending'`);
  }
}
