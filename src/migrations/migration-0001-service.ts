import { Migration } from '@mikro-orm/migrations';

/**
 * Ids are text as on the wire, compared bytewise. Times have milliseconds, like the clock that writes them. Every
 * foreign key has an index, so that cascades cost what they remove.
 */
export class Migration0001Service extends Migration {
  override up(): void {
    this.addSql(accounts);
    this.addSql(agents);
    this.addSql(conversations);
    this.addSql(shared);
  }
}

const accounts = `
create table users (
  id text collate "C" primary key,
  email text not null check (email = lower(email)),
  username text not null,
  password_hash text not null,
  display_name text,
  avatar_url text,
  bio text,
  email_verified boolean not null default false,
  plan text not null default 'free' check (plan in ('free', 'plus', 'pro', 'creator')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deletion_requested_at timestamptz(3)
);
create unique index users_email_key on users (email);
create unique index users_username_key on users (lower(username));

create table sessions (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  ip text,
  user_agent text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
create index sessions_user_idx on sessions (user_id, created_at desc);
create index sessions_expires_idx on sessions (expires_at);

create table refresh_tokens (
  hash bytea primary key,
  session_id text collate "C" not null references sessions on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  successor text
);
create index refresh_tokens_session_idx on refresh_tokens (session_id);

create table api_keys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  name text not null,
  hash bytea not null unique,
  key_hint text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index api_keys_user_idx on api_keys (user_id, created_at desc);
`;

const agents = `
create extension if not exists pg_trgm;

create table agents (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  name text not null,
  description text,
  instructions text not null,
  model text not null,
  avatar_url text,
  is_public boolean not null default false,
  category text,
  greeting_message text,
  voice_id text,
  message_count bigint not null default 0,
  trending_score double precision not null default 0,
  event_sequence integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index agents_owner_created_idx on agents (owner_id, created_at desc, id desc);
create index agents_owner_updated_idx on agents (owner_id, updated_at desc, id desc);
create index agents_owner_name_idx on agents (owner_id, lower(name), id desc);
create index agents_popular_idx on agents (message_count desc, id desc) where is_public;
create index agents_trending_idx on agents (trending_score desc, id desc) where is_public;
create index agents_cooling_idx on agents (id) where trending_score > 0;
create index agents_recent_idx on agents (created_at desc, id desc) where is_public;
create index agents_category_idx on agents (category, message_count desc, id desc) where is_public;
create index agents_text_idx on agents using gin (lower(name || ' ' || coalesce(description, '')) gin_trgm_ops) where is_public;

-- Messages of an agent that are not in its counters yet: appended by every message, folded in by a job, so that a
-- popular agent's row is never waited for.
create table agent_activity (
  id bigint generated always as identity primary key,
  agent_id text collate "C" not null references agents on delete cascade,
  user_id text collate "C" not null,
  messages integer not null,
  created_at timestamptz(3) not null
);
create index agent_activity_agent_idx on agent_activity (agent_id) include (messages);
create index agent_activity_user_idx on agent_activity (user_id);

-- Messages by agent, user and hour of the last week, for what is trending.
create table agent_popularity (
  agent_id text collate "C" not null references agents on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  hour timestamptz(3) not null,
  messages integer not null,
  primary key (agent_id, user_id, hour)
);
create index agent_popularity_user_idx on agent_popularity (user_id);
create index agent_popularity_hour_idx on agent_popularity (hour);
`;

const conversations = `
create table instances (
  id text collate "C" primary key,
  started_at timestamptz(3) not null,
  heartbeat_at timestamptz(3) not null
);
create index instances_heartbeat_idx on instances (heartbeat_at);

create table conversations (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  agent_id text collate "C" not null references agents on delete cascade,
  title text,
  message_count integer not null default 0,
  last_position integer not null default 0,
  event_sequence integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index conversations_user_idx on conversations (user_id, updated_at desc, id desc);
create index conversations_user_agent_idx on conversations (user_id, agent_id, updated_at desc, id desc);
create index conversations_agent_idx on conversations (agent_id);

create table messages (
  id text collate "C" primary key,
  conversation_id text collate "C" not null references conversations on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  position integer not null,
  role text not null check (role in ('user', 'assistant')),
  content text not null,
  -- What it follows. Siblings, messages with the same parent, are branches; the active ones are the conversation.
  parent_id text collate "C",
  active boolean not null default true,
  citations jsonb,
  created_at timestamptz(3) not null,
  unique (conversation_id, position)
);
create index messages_active_idx on messages (conversation_id, position desc) where active;
create index messages_parent_idx on messages (parent_id) where parent_id is not null;
create index messages_user_idx on messages (user_id, created_at desc);

create table generations (
  id text collate "C" primary key,
  conversation_id text collate "C" not null references conversations on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  user_message_id text collate "C" not null references messages on delete cascade,
  assistant_message_id text collate "C" not null,
  state text not null check (state in ('running', 'complete', 'stopped', 'failed', 'interrupted')),
  instance_id text collate "C" not null,
  stop_requested boolean not null default false,
  -- The reply is to be another branch beside the one that follows its message now.
  is_regeneration boolean not null default false,
  quota_day date,
  error_code text,
  error_message text,
  input_tokens integer,
  output_tokens integer,
  idempotency_key text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  delivered_at timestamptz(3)
);
-- A conversation answers one message at a time.
create unique index generations_running_key on generations (conversation_id) where state = 'running';
create unique index generations_idempotency_key on generations (user_id, idempotency_key) where idempotency_key is not null;
create index generations_conversation_idx on generations (conversation_id, created_at desc);
create index generations_user_idx on generations (user_id);
create index generations_user_running_idx on generations (user_id) where state = 'running';
create index generations_message_idx on generations (user_message_id);
create index generations_instance_idx on generations (instance_id) where state = 'running';

-- The text of a running generation as far as it is written, in pieces. 'position' counts UTF-16 units.
create table generation_deltas (
  generation_id text collate "C" not null references generations on delete cascade,
  position integer not null,
  content text not null,
  primary key (generation_id, position)
);

-- What was said before the turns that still fit the model, in short.
create table conversation_summaries (
  conversation_id text collate "C" primary key references conversations on delete cascade,
  content text not null,
  through_position integer not null,
  updated_at timestamptz(3) not null
);

create table message_feedback (
  message_id text collate "C" primary key references messages on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  rating text not null check (rating in ('up', 'down')),
  comment text,
  created_at timestamptz(3) not null
);
create index message_feedback_user_idx on message_feedback (user_id);

create table usage_counters (
  user_id text collate "C" not null references users on delete cascade,
  day date not null,
  messages integer not null check (messages >= 0),
  primary key (user_id, day)
);
`;

const shared = `
create table outbox_events (
  seq bigint generated always as identity primary key,
  id text collate "C" not null unique,
  account_id text collate "C" not null references users on delete cascade,
  type text not null,
  data jsonb not null,
  created_at timestamptz(3) not null,
  dispatched_at timestamptz(3)
);
create index outbox_events_pending_idx on outbox_events (seq) where dispatched_at is null;
create index outbox_events_account_idx on outbox_events (account_id, seq desc);

create table idempotency_keys (
  user_id text collate "C" not null references users on delete cascade,
  key text not null,
  method text not null,
  path text not null,
  request_hash bytea not null,
  lock_token text,
  locked_until timestamptz(3) not null,
  status integer,
  content_type text,
  body text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (user_id, key, method, path)
);
create index idempotency_keys_expires_idx on idempotency_keys (expires_at);

-- Counters of rate limits: worthless after a minute, so not worth a log.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire_idx on rate_limits (expire);
`;
