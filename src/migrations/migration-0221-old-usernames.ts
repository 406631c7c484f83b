import { Migration } from '@mikro-orm/migrations';

/** Former usernames, which lead to their account for 180 days. A purged account leaves only the hash of its names. */
export class Migration0221OldUsernames extends Migration {
  override up(): void {
    this.addSql(`
      create table old_usernames (
        name_hash bytea primary key,
        username text,
        user_id text collate "C" references users on delete set null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null
      );
      create index old_usernames_user_idx on old_usernames (user_id);
      create index old_usernames_expires_idx on old_usernames (expires_at)`);
  }
}
