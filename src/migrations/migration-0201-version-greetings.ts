import { Migration } from '@mikro-orm/migrations';

/** Generated greetings of versions. Earlier instances keep theirs in `agent_greetings`, one for each agent. */
export class Migration0201VersionGreetings extends Migration {
  override up(): void {
    this.addSql(`
      create table version_greetings (
        version_id text collate "C" primary key references agent_versions on delete cascade,
        -- Null while the lease holder generates it.
        content text,
        lease_token text,
        lease_expires_at timestamptz(3),
        created_at timestamptz(3) not null
      )`);
  }
}
