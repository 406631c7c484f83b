import { Migration } from '@mikro-orm/migrations';

/** How a person wants the console to behave, kept with the account so that it follows them to another browser. */
export class Migration0045Preferences extends Migration {
  override up(): void {
    this.addSql(`alter table users add column preferences jsonb not null default '{}'`);
  }
}
