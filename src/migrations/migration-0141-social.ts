import { Migration } from '@mikro-orm/migrations';

/** Public profiles, follows, likes and mutes, with their counters. */
export class Migration0141Social extends Migration {
  override up(): void {
    this.addSql(profiles);
    this.addSql(relations);
    this.addSql(counters);
    this.addSql(shares);
    this.addSql(activities);
  }
}

const profiles = `
create table profiles (
  user_id text collate "C" primary key references users on delete cascade,
  banner_id text collate "C" references images on delete set null,
  visibility text not null default 'public' check (visibility in ('public', 'hidden')),
  show_following boolean not null default true,
  show_mature boolean not null default false,
  -- Set by moderation: the profile does not exist for others.
  removed boolean not null default false,
  follower_count integer not null default 0,
  following_count integer not null default 0,
  -- The owner is notified of followers at most once a minute.
  notice_due boolean not null default false,
  noticed_at timestamptz(3),
  event_sequence integer not null default 0,
  -- Whether the counters changed since the last recount.
  recount_due boolean not null default false,
  created_at timestamptz(3) not null default now()
);
create index profiles_banner_idx on profiles (banner_id);
create index profiles_notice_idx on profiles (user_id) where notice_due;
create index profiles_recount_idx on profiles (user_id) where recount_due;
`;

const relations = `
create table follows (
  follower_id text collate "C" not null references users on delete cascade,
  followee_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null,
  primary key (follower_id, followee_id),
  check (follower_id <> followee_id)
);
create index follows_following_idx on follows (follower_id, created_at desc, followee_id desc);
create index follows_followers_idx on follows (followee_id, created_at desc, follower_id desc);

create table likes (
  agent_id text collate "C" not null references agents on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null,
  primary key (agent_id, user_id)
);
create index likes_user_idx on likes (user_id, created_at desc, agent_id desc);

create table mutes (
  muter_id text collate "C" not null references users on delete cascade,
  muted_id text collate "C" not null references users on delete cascade,
  created_at timestamptz(3) not null,
  primary key (muter_id, muted_id),
  check (muter_id <> muted_id)
);
create index mutes_newest_idx on mutes (muter_id, created_at desc, muted_id desc);
create index mutes_muted_idx on mutes (muted_id);

create table social_days (
  user_id text collate "C" not null references users on delete cascade,
  day date not null,
  writes integer not null default 0,
  follows integer not null default 0,
  primary key (user_id, day)
);
create index social_days_day_idx on social_days (day);
`;

const counters = `
create table agent_likes (
  agent_id text collate "C" primary key references agents on delete cascade,
  like_count integer not null default 0,
  notice_due boolean not null default false,
  noticed_at timestamptz(3),
  event_sequence integer not null default 0,
  recount_due boolean not null default false
);
create index agent_likes_notice_idx on agent_likes (agent_id) where notice_due;
create index agent_likes_recount_idx on agent_likes (agent_id) where recount_due;

-- Changes that the counters lack: appended, so that a popular profile, agent or share is no hot row.
create table counter_notes (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('follower', 'following', 'like', 'view')),
  subject_id text collate "C" not null,
  delta integer not null,
  created_at timestamptz(3) not null
);
create index counter_notes_subject_idx on counter_notes (subject_id, kind);

create table social_recounts (
  id smallint primary key check (id = 1),
  counters integer not null,
  drifted integer not null,
  finished_at timestamptz(3) not null
);
`;

const shares = `
create table shares (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  type text not null check (type in ('agent', 'conversation')),
  agent_id text collate "C" not null references agents on delete cascade,
  conversation_id text collate "C" references conversations on delete cascade,
  token_hash bytea not null unique,
  -- The name that the agent had, for readers who may not see the agent any more.
  agent_name text not null,
  title text,
  note text,
  anonymous boolean not null,
  in_feed boolean not null,
  indexable boolean not null,
  message_count integer not null,
  view_count integer not null default 0,
  -- The messages as they were; null for an agent, and once it was revoked.
  snapshot jsonb,
  revoked_at timestamptz(3),
  -- Set by moderation: held ones are in no feed, removed ones do not open.
  held boolean not null default false,
  removed_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index shares_owner_idx on shares (owner_id, created_at desc, id desc);
create index shares_agent_idx on shares (agent_id);
create index shares_conversation_idx on shares (conversation_id);
create index shares_revoked_idx on shares (revoked_at) where revoked_at is not null;
`;

const activities = `
create table activities (
  id text collate "C" primary key,
  actor_id text collate "C" not null references users on delete cascade,
  type text not null check (type in ('agent_published', 'agent_shared', 'conversation_shared')),
  agent_id text collate "C" not null references agents on delete cascade,
  share_id text collate "C" references shares on delete cascade,
  -- Cleared after 90 days, so that the index of feeds stays small.
  recent boolean not null default true,
  created_at timestamptz(3) not null
);
create index activities_actor_idx on activities (actor_id, created_at desc, id desc);
create index activities_recent_idx on activities (created_at desc, id desc) where recent;
create index activities_agent_idx on activities (agent_id);
create unique index activities_share_idx on activities (share_id);
`;
