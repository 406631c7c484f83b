import { Migration } from '@mikro-orm/migrations';

/**
 * The scheduled interval of a subscription, and whether its price belongs to a plan. The request of an intent names the
 * plan before it.
 */
export class Migration0230BillingPrices extends Migration {
  override up(): void {
    this.addSql(`alter table billing_accounts add column pending_interval text`);
    this.addSql(`alter table billing_accounts add column is_price_known boolean not null default true`);
    this.addSql(
      `create index billing_accounts_unknown_price_idx on billing_accounts (user_id) where not is_price_known`,
    );
    this.addSql(`alter table billing_intents drop column previous_plan`);
  }
}
