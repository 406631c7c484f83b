import { Migration } from '@mikro-orm/migrations';

/** Number of images of an account's day that were refunded although the provider may have been called. */
export class Migration0197ImageRefunds extends Migration {
  override up(): void {
    this.addSql(`alter table usage_counters add column image_refunds integer not null default 0`);
  }
}
