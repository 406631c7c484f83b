import { Migration } from '@mikro-orm/migrations';

/** Number of shared conversations that an account copied on a day. */
export class Migration0198CopiedShares extends Migration {
  override up(): void {
    this.addSql(`alter table social_days add column copies integer not null default 0`);
  }
}
