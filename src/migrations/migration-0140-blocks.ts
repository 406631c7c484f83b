import { Migration } from '@mikro-orm/migrations';

/** Accounts that block others. */
export class Migration0140Blocks extends Migration {
  override up(): void {
    this.addSql(`
      create table blocks (
        blocker_id text collate "C" not null references users on delete cascade,
        blocked_id text collate "C" not null references users on delete cascade,
        created_at timestamptz(3) not null,
        primary key (blocker_id, blocked_id),
        check (blocker_id <> blocked_id)
      )`);
    this.addSql(`create index blocks_blocked_idx on blocks (blocked_id, blocker_id)`);
    this.addSql(`create index blocks_newest_idx on blocks (blocker_id, created_at desc, blocked_id desc)`);
  }
}
