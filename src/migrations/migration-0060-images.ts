import { Migration } from '@mikro-orm/migrations';

/** Pictures of agents and profiles, those that were made count against the day. */
export class Migration0060Images extends Migration {
  override up(): void {
    this.addSql(`alter table usage_counters add column images integer not null default 0 check (images >= 0)`);
    this.addSql(images);
    this.addSql(removal);
    this.addSql(remote);
  }
}

const images = `
create table images (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  agent_id text collate "C" references agents on delete set null,
  kind text not null check (kind in ('avatar', 'banner')),
  source text not null check (source in ('generated', 'uploaded')),
  status text not null check (status in ('processing', 'ready', 'failed')),
  prompt text,
  style text,
  -- What is sent to the provider, which a name or description that changes later must not change.
  full_prompt text,
  -- Part of the public address, 128 random bits.
  token text collate "C" not null unique,
  -- The folder of the attempt that made it: a late attempt writes elsewhere.
  folder text collate "C",
  placeholder text,
  error_code text,
  error_message text,
  -- Where it goes once it is ready, and what is there now: a change meanwhile wins.
  apply_to text check (apply_to in ('agent', 'profile')),
  apply_over text,
  -- The UTC day that was charged.
  quota_day date,
  started_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- Null once it is used.
  expires_at timestamptz(3),
  check ((status = 'failed') = (error_code is not null))
);
create index images_owner_idx on images (owner_id, created_at desc, id desc);
create index images_waiting_idx on images (owner_id, created_at, id) where status = 'processing';
create index images_agent_idx on images (agent_id);
create index images_expires_idx on images (expires_at) where expires_at is not null;
`;

// Whatever deletes an image's row leaves the work of removing its files.
const removal = `
create function leave_image_removal() returns trigger language plpgsql as $$
begin
  insert into tasks (kind, key, payload, run_at, max_attempts, created_at)
  values ('image.remove', old.id, jsonb_build_object('imageId', old.id), now(), 1000, now())
  on conflict do nothing;
  return old;
end $$;
create trigger images_removal after delete on images for each row execute function leave_image_removal();
`;

const remote = `
create table remote_images (
  -- SHA-256 of the address, in hex.
  id text collate "C" primary key,
  is_usable boolean not null,
  -- Of the picture that was fetched last.
  folder text collate "C",
  expires_at timestamptz(3) not null
);
create index remote_images_expires_idx on remote_images (expires_at);
`;
