import { Migration } from '@mikro-orm/migrations';

/** Bytes of documents that were processed for an account on a day. */
export class Migration0242DocumentBytes extends Migration {
  override up(): void {
    this.addSql(`alter table usage_counters add column document_bytes bigint not null default 0`);
  }
}
