import { Migration } from '@mikro-orm/migrations';

/**
 * Bytes that each account stores. Triggers note every change of the counted tables, so the count is right after
 * deletions, cascades and crashes too. A job counts what the accounts stored before, so no table stays locked for it.
 */
export class Migration0241StoredBytes extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(removal);
    for (const table of counted) this.addSql(countTable(table));
    this.addSql(`
      create function stored_bytes_of(account text) returns bigint language sql stable as $$
        select (${counted.map(sumOf).join(' + ')})::bigint
      $$`);
    this.addSql(`insert into stored_bytes (user_id, bytes, recount_due) select id, 0, true from users`);
  }
}

const tables = `
create table stored_bytes (
  user_id text collate "C" primary key references users on delete cascade,
  bytes bigint not null,
  recount_due boolean not null default false
);
create index stored_bytes_recount_idx on stored_bytes (user_id) where recount_due;
create table storage_notes (
  id bigint generated always as identity primary key,
  user_id text collate "C" not null,
  bytes bigint not null
);
create index storage_notes_user_idx on storage_notes (user_id);
-- Copies without an account are removed by the next expiry, and fetched again when they are needed.
alter table remote_images add column owner_id text collate "C" references users on delete cascade,
  add column size_bytes integer not null default 0,
  add column moderation_state text not null default 'ok' check (moderation_state in ('ok', 'held', 'removed'));
update remote_images set expires_at = now();
create index remote_images_owner_idx on remote_images (owner_id, expires_at);
create index users_avatar_idx on users using hash (avatar_url) where avatar_url is not null;
create index agents_avatar_idx on agents using hash (avatar_url) where avatar_url is not null;
alter table images add column size_bytes integer not null default 0;
alter table shares add column snapshot_bytes integer not null default 0;
update shares set snapshot_bytes = octet_length(snapshot::text) where snapshot is not null;
alter table conversations add column copied_bytes integer not null default 0, add column copying_share_id text collate "C";
create index conversations_copying_idx on conversations (user_id) where copying_share_id is not null;
`;

// Whatever deletes or replaces a copy leaves the work of removing its file.
const removal = `
create function leave_remote_image_removal() returns trigger language plpgsql as $$
begin
  if old.folder is not null and (tg_op = 'DELETE' or old.folder is distinct from new.folder) then
    insert into tasks (kind, key, payload, run_at, max_attempts, created_at)
    values ('remote-image.remove', old.folder, jsonb_build_object('id', old.id, 'folder', old.folder), now(), 1000, now())
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger remote_images_removal after delete or update of folder on remote_images
  for each row execute function leave_remote_image_removal();
`;

interface Counted {
  table: string;
  owner: string;
  /** SQL for the bytes of a row. */
  bytes: (row: string) => string;
  /** Columns whose change changes the bytes or their owner. */
  columns: readonly string[];
}

const counted: readonly Counted[] = [
  {
    table: 'agents',
    owner: 'owner_id',
    bytes: (row) =>
      `1000 + octet_length(${row}.instructions) + octet_length(coalesce(${row}.description, '') || coalesce(${row}.greeting_message, ''))`,
    columns: ['instructions', 'description', 'greeting_message'],
  },
  { table: 'documents', owner: 'owner_id', bytes: (row) => `${row}.size_bytes`, columns: ['size_bytes'] },
  { table: 'images', owner: 'owner_id', bytes: (row) => `${row}.size_bytes`, columns: ['size_bytes'] },
  {
    table: 'remote_images',
    owner: 'owner_id',
    bytes: (row) => `500 + ${row}.size_bytes`,
    columns: ['owner_id', 'size_bytes'],
  },
  { table: 'shares', owner: 'owner_id', bytes: (row) => `1000 + ${row}.snapshot_bytes`, columns: ['snapshot_bytes'] },
  {
    table: 'conversations',
    owner: 'user_id',
    bytes: (row) => `4000 + ${row}.copied_bytes`,
    columns: ['copied_bytes'],
  },
  {
    table: 'room_messages',
    owner: 'user_id',
    bytes: (row) => `500 + octet_length(${row}.content)`,
    columns: ['content', 'user_id'],
  },
  {
    table: 'data_exports',
    owner: 'user_id',
    bytes: (row) => `case when ${row}.status = 'ready' then coalesce(${row}.size_bytes, 0) else 0 end`,
    columns: ['status', 'size_bytes'],
  },
];

const sumOf = ({ table, owner, bytes }: Counted): string =>
  `coalesce((select sum(${bytes('r')}) from ${table} r where r.${owner} = account), 0)`;

// The rows of a purged account are deleted after its own row, so the join drops them.
const countTable = ({ table, owner, bytes, columns }: Counted): string => `
create function note_bytes_of_${table}() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into storage_notes (user_id, bytes)
    select r.${owner}, sum(${bytes('r')}) from changed r where r.${owner} is not null group by 1 having sum(${bytes('r')}) <> 0;
  elsif tg_op = 'DELETE' then
    insert into storage_notes (user_id, bytes)
    select r.${owner}, -sum(${bytes('r')}) from changed r join users u on u.id = r.${owner}
    group by 1 having sum(${bytes('r')}) <> 0;
  else
    insert into storage_notes (user_id, bytes)
    select v.user_id, sum(v.bytes)
    from (values (old.${owner}, -(${bytes('old')})), (new.${owner}, ${bytes('new')})) as v (user_id, bytes)
    join users u on u.id = v.user_id group by 1 having sum(v.bytes) <> 0;
  end if;
  return null;
end $$;
create trigger ${table}_bytes_insert after insert on ${table} referencing new table as changed
  for each statement execute function note_bytes_of_${table}();
create trigger ${table}_bytes_delete after delete on ${table} referencing old table as changed
  for each statement execute function note_bytes_of_${table}();
create trigger ${table}_bytes_update after update of ${columns.join(', ')} on ${table}
  for each row when (${columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')})
  execute function note_bytes_of_${table}();
`;
