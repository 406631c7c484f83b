import { Migration } from '@mikro-orm/migrations';

/** Adds the account of the generation or reply to notes, to find it in its partition. */
export class Migration0190NoteAccounts extends Migration {
  override up(): void {
    this.addSql(`alter table studio_notes add column user_id text collate "C"`);
  }
}
