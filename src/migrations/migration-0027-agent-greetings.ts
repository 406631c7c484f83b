import { Migration } from '@mikro-orm/migrations';

/** Generated greetings, one for the current behaviour of an agent, and how many an account has caused on a day. */
export class Migration0027AgentGreetings extends Migration {
  override up(): void {
    this.addSql(`
      create table agent_greetings (
        agent_id text collate "C" primary key references agents on delete cascade,
        behaviour text not null,
        -- Null while the lease holder generates it.
        content text,
        lease_token text,
        lease_expires_at timestamptz(3),
        created_at timestamptz(3) not null
      )`);
    this.addSql(`alter table usage_counters add column greetings integer not null default 0`);
  }
}
