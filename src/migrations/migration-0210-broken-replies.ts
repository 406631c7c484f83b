import { Migration } from '@mikro-orm/migrations';

/** Replies that broke off after text was shown are messages, and a failed attempt knows when to try again. */
export class Migration0210BrokenReplies extends Migration {
  override up(): void {
    for (const table of ['messages', 'room_messages'])
      this.addSql(`alter table ${table} add column broken boolean not null default false`);
    for (const table of ['generations', 'room_turns'])
      this.addSql(`alter table ${table} add column retry_at timestamptz(3)`);
  }
}
