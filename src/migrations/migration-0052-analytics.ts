import { Migration } from '@mikro-orm/migrations';

/** Figures of agents by day, aggregated from notes that replies and ratings leave. */
export class Migration0052Analytics extends Migration {
  override up(): void {
    // No foreign keys: a note whose generation or message is gone is dropped.
    this.addSql(`
      create table studio_notes (
        id bigint generated always as identity primary key,
        generation_id text collate "C",
        message_id text collate "C",
        thumbs_up integer not null default 0,
        thumbs_down integer not null default 0,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`
      create table agent_days (
        agent_id text collate "C" not null references agents on delete cascade,
        day date not null,
        version_number integer not null,
        source text not null,
        conversations integer not null default 0,
        messages integer not null default 0,
        replies integer not null default 0,
        failed integer not null default 0,
        stopped integer not null default 0,
        regenerated integer not null default 0,
        thumbs_up integer not null default 0,
        thumbs_down integer not null default 0,
        input_tokens bigint not null default 0,
        output_tokens bigint not null default 0,
        first_words integer[] not null,
        reply_times integer[] not null,
        primary key (agent_id, day, version_number, source)
      )`);
    this.addSql(dayUsers);
    this.addSql(functions);
    this.addSql(`select create_studio_partitions(now()::date, 2)`);
  }
}

const dayUsers = `
create table agent_day_users (
  agent_id text collate "C" not null references agents on delete cascade,
  day date not null,
  subject text collate "C" not null,
  version_number integer not null,
  source text not null,
  user_id text collate "C" not null references users on delete cascade,
  messages integer not null,
  primary key (agent_id, day, subject, version_number, source)
) partition by range (day);
create index agent_day_users_user_idx on agent_day_users (user_id);
create index agent_day_users_subject_idx on agent_day_users (agent_id, subject, day);
create table partitions.agent_day_users_default partition of agent_day_users default;
`;

// They run with the rights of the owner, because the role that serves may not change the schema.
const rights = `language plpgsql security definer
  set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '300ms'`;

const functions = `
-- Creates the partitions of the month of "today" and of the following ones. Rows of the default partition move to their own.
create function create_studio_partitions(today date, months_ahead integer) returns integer
${rights} as $$
declare
  starts date;
  partition text;
  created integer := 0;
begin
  for month in 0..months_ahead loop
    starts := date_trunc('month', today) + month * interval '1 month';
    partition := 'agent_day_users_' || to_char(starts, 'YYYYMM');
    continue when to_regclass('partitions.' || partition) is not null;
    execute format('create table partitions.%I (like agent_day_users including defaults including constraints)', partition);
    execute format('with moved as (delete from partitions.agent_day_users_default where day >= %L and day < %L returning *) insert into partitions.%I select * from moved',
      starts, starts + interval '1 month', partition);
    execute format('alter table agent_day_users attach partition partitions.%I for values from (%L) to (%L)',
      partition, starts, (starts + interval '1 month')::date);
    created := created + 1;
  end loop;
  return created;
end $$;

-- Drops the partitions whose last day is before "oldest", which must be more than a year ago. Returns how many.
create function drop_studio_partitions(oldest date) returns integer
${rights} as $$
declare
  partition text;
  dropped integer := 0;
begin
  if oldest > (select now()::date + coalesce(max(offset_seconds), 0) * interval '1 second' from business_clock) - interval '366 days' then
    raise exception 'cannot drop figures since %', oldest;
  end if;
  for partition in select name from list_partitions('agent_day_users') where ends_at::date <= oldest loop
    execute format('drop table partitions.%I', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
`;
