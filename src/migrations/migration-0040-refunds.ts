import { Migration } from '@mikro-orm/migrations';

/** How many charges of an account's day were returned, which has a bound. */
export class Migration0040Refunds extends Migration {
  override up(): void {
    this.addSql(`alter table usage_counters add column refunds integer not null default 0`);
  }
}
