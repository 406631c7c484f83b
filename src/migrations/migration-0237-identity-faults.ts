import { Migration } from '@mikro-orm/migrations';

/** Identity tokens of visitors that were refused on a UTC day, by fault. */
export class Migration0237IdentityFaults extends Migration {
  override up(): void {
    this.addSql(`alter table embed_days add column identity_faults jsonb not null default '{}'`);
  }
}
