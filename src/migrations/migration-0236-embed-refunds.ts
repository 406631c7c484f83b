import { Migration } from '@mikro-orm/migrations';

/** Refunded messages of a visitor's conversation on a UTC day. */
export class Migration0236EmbedRefunds extends Migration {
  override up(): void {
    this.addSql(`
      alter table embed_conversations add column refund_day date, add column day_refunds integer not null default 0`);
  }
}
