import { Migration } from '@mikro-orm/migrations';

/** Notes state the account of their generation or reply, by which it is found in its partition. */
export class Migration0190NoteAccounts extends Migration {
  override up(): void {
    this.addSql(`alter table studio_notes add column user_id text collate "C"`);
  }
}
