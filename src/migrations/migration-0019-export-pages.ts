import { Migration } from '@mikro-orm/migrations';

/** A data export reads the conversations of a user page by page; without this index each page sorted all of them. */
export class Migration0019ExportPages extends Migration {
  override up(): void {
    this.addSql(`create index conversations_created_idx on conversations (user_id, created_at, id)`);
  }
}
