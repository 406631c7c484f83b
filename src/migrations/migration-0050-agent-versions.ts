import { Migration } from '@mikro-orm/migrations';

/** Versions of an agent's behaviour, and which one a conversation and an attempt to reply use. */
export class Migration0050AgentVersions extends Migration {
  override up(): void {
    this.addSql(`
      create table agent_versions (
        id text collate "C" primary key,
        agent_id text collate "C" not null references agents on delete cascade,
        number integer not null,
        instructions text not null,
        model text not null,
        greeting_message text,
        voice_id text,
        note text,
        origin text not null check (origin in ('created', 'edit', 'draft', 'copy', 'experiment')),
        created_at timestamptz(3) not null,
        published_at timestamptz(3)
      )`);
    this.addSql(`create unique index agent_versions_number_key on agent_versions (agent_id, number)`);
    this.addSql(`alter table agents add column live_version_id text collate "C"`);
    this.addSql(
      `alter table conversations add column version_id text collate "C", add column source text not null default 'direct'`,
    );
    this.addSql(`alter table generations add column version_id text collate "C", add column first_words_ms integer`);
    this.addSql(forgetLiveVersion);
  }
}

// An instance of the release before changes an agent without a version: the next use of its versions stores one.
const forgetLiveVersion = `
create function forget_live_version() returns trigger language plpgsql as $$
begin
  new.live_version_id := null;
  return new;
end $$;
create trigger agents_live_version before update of instructions, model, greeting_message, voice_id on agents for each row
when (
  old.live_version_id is not null and new.live_version_id = old.live_version_id
  and (old.instructions, old.model, old.greeting_message, old.voice_id)
    is distinct from (new.instructions, new.model, new.greeting_message, new.voice_id)
)
execute function forget_live_version();
`;
