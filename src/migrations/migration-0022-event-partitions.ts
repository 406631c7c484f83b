import { Migration } from '@mikro-orm/migrations';

/**
 * Events and deliveries become weekly partitions, in a schema of their own, that are created ahead and dropped whole.
 * An existing table becomes the partition of everything before the next week. Deliveries get the vocabulary of leases,
 * and events the transaction that wrote them, by which a reader resumes (event-stream.ts).
 */
export class Migration0022EventPartitions extends Migration {
  override up(): void {
    for (const statement of [schema, events, queue, deliveries, functions]) this.addSql(statement);
    this.addSql(attach('outbox_events'));
    this.addSql(attach('webhook_deliveries'));
    this.addSql(`
      create table partitions.outbox_events_default partition of outbox_events default;
      create table partitions.webhook_deliveries_default partition of webhook_deliveries default;
      select create_partitions(2)`);
  }
}

const schema = `create schema partitions`;

const events = `
alter table outbox_events alter column seq drop identity,
  add column xid xid8 not null default '0', add column xid_horizon xid8 not null default '0',
  drop constraint outbox_events_pkey, drop constraint outbox_events_id_key;
drop index outbox_events_pending_idx, outbox_events_account_idx;
alter table outbox_events rename to outbox_events_before;
alter table outbox_events_before set schema partitions;

create table outbox_events (
  seq bigint generated always as identity,
  id text collate "C" not null,
  account_id text collate "C" not null references users on delete cascade,
  type text not null,
  -- Signed bytes must be returned as they were written: jsonb would reorder the keys.
  data json not null,
  created_at timestamptz(3) not null,
  dispatched_at timestamptz(3),
  -- Set on a test event, which is sent to one webhook only.
  only_webhook_id text collate "C",
  -- The transaction that wrote it, and the oldest one that was open then.
  xid xid8 not null default pg_current_xact_id(),
  xid_horizon xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  primary key (seq, created_at)
) partition by range (created_at);
create index outbox_events_id_idx on outbox_events (id);
create index outbox_events_account_idx on outbox_events (account_id, xid, seq);
create index outbox_events_pending_idx on outbox_events (seq) where dispatched_at is null;
select setval(pg_get_serial_sequence('outbox_events', 'seq'), coalesce(max(seq), 0) + 1, false) from partitions.outbox_events_before;
`;

// With the time of the event, the planner reads its partition only.
const queue = `alter table outbox_queue add column event_created_at timestamptz(3)`;

const deliveries = `
alter table webhook_deliveries rename column lease_until to lease_expires_at;
alter table webhook_deliveries drop constraint webhook_deliveries_pkey;
drop index webhook_deliveries_due_idx, webhook_deliveries_list_idx;
alter table webhook_deliveries rename to webhook_deliveries_before;
alter table webhook_deliveries_before set schema partitions;

create table webhook_deliveries (
  id text collate "C" not null,
  webhook_id text collate "C" not null references webhooks on delete cascade,
  event_id text collate "C" not null,
  event_type text not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'skipped')),
  due_at timestamptz(3) not null,
  -- In no index, so that claiming and releasing a row updates none.
  lease_token text,
  lease_expires_at timestamptz(3),
  -- Counted when an attempt is claimed, so that a process that dies with it has used it up.
  attempt_count integer not null default 0,
  -- Attempts before it was sent again on request; a round has a limit, the row has none.
  earlier_attempt_count integer not null default 0,
  attempted_at timestamptz(3),
  attempts jsonb not null default '[]',
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (id, created_at)
) partition by range (created_at);
create index webhook_deliveries_due_idx on webhook_deliveries (webhook_id, due_at, id) where status = 'pending';
create index webhook_deliveries_oldest_idx on webhook_deliveries (due_at) where status = 'pending';
create index webhook_deliveries_list_idx on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_failed_idx on webhook_deliveries (webhook_id, created_at desc, id desc)
  where status in ('failed', 'skipped');
`;

// They run with the rights of the owner, because the role that serves may not change the schema.
const rights = (language: 'sql' | 'plpgsql'): string => `language ${language} security definer
  set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '300ms'`;

const functions = `
create function list_partitions(parent_table text) returns table (name text, starts_at timestamptz, ends_at timestamptz)
${rights('sql')} as $$
  select c.relname::text, coalesce(substring(b.bounds from 'FROM \\(''([^'']+)''\\)')::timestamptz, '-infinity'),
    substring(b.bounds from 'TO \\(''([^'']+)''\\)')::timestamptz
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bounds) b
  where i.inhparent = parent_table::regclass and b.bounds <> 'DEFAULT'
$$;

-- Creates the partitions of this week and of the following ones that are missing. Rows that the default partition
-- received meanwhile move to their own.
create function create_partitions(weeks_ahead integer) returns integer
${rights('plpgsql')} as $$
declare
  parent text;
  partition text;
  starts timestamptz;
  ends timestamptz;
  created integer := 0;
begin
  foreach parent in array array['outbox_events', 'webhook_deliveries'] loop
    for week in 0..weeks_ahead loop
      starts := date_trunc('week', now()) + week * interval '7 days';
      ends := starts + interval '7 days';
      partition := parent || to_char(starts, '_YYYYMMDD');
      continue when exists (select from list_partitions(parent) p where p.starts_at <= starts and p.ends_at > starts);
      execute format('create table partitions.%I (like %I including defaults including constraints)', partition, parent);
      if parent = 'webhook_deliveries' then
        execute format('alter table partitions.%I set (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000)', partition);
      end if;
      execute format('with moved as (delete from partitions.%I where created_at >= %L and created_at < %L returning *) insert into partitions.%I select * from moved',
        parent || '_default', starts, ends, partition);
      execute format('alter table %I attach partition partitions.%I for values from (%L) to (%L)', parent, partition, starts, ends);
      created := created + 1;
    end loop;
  end loop;
  return created;
end $$;

-- Drops one partition whose last row is older than "keep" and that has no undelivered work. Returns false when there is none.
create function drop_partition(parent text, keep interval) returns boolean
${rights('plpgsql')} as $$
declare
  partition text;
  is_busy boolean;
begin
  if parent not in ('outbox_events', 'webhook_deliveries') or keep < interval '1 day' then
    raise exception 'cannot drop partitions of % before %', parent, keep;
  end if;
  for partition in select name from list_partitions(parent) where ends_at <= now() - keep order by ends_at loop
    execute case parent
      when 'outbox_events' then format('select exists (select from outbox_queue where seq <= (select max(seq) from partitions.%I))', partition)
      else format('select exists (select from partitions.%I where status = ''pending'')', partition) end into is_busy;
    continue when is_busy;
    execute format('drop table partitions.%I', partition);
    return true;
  end loop;
  return false;
end $$;

-- Deletes old rows of the default partition, which only receives rows with the time of a wrong clock. Returns how many.
create function purge_default_partition(parent text, keep interval, most integer) returns integer
${rights('plpgsql')} as $$
declare
  purged integer;
begin
  if parent not in ('outbox_events', 'webhook_deliveries') or keep < interval '1 day' then
    raise exception 'cannot purge % before %', parent, keep;
  end if;
  execute format('delete from partitions.%I where ctid = any (array(select ctid from partitions.%I where created_at < now() - %L::interval limit %s))',
    parent || '_default', parent || '_default', keep, most);
  get diagnostics purged = row_count;
  return purged;
end $$;
`;

/** Keeps the existing rows as one partition up to the end of the week of the newest. */
const attach = (table: string): string => `
do $$
declare ends timestamptz;
begin
  select date_trunc('week', greatest(now(), max(created_at)), 'UTC') + interval '168 hours' into ends
  from partitions.${table}_before having count(*) > 0;
  if ends is null then
    drop table partitions.${table}_before;
  else
    execute format('alter table ${table} attach partition partitions.${table}_before for values from (minvalue) to (%L)', ends);
  end if;
end $$`;
