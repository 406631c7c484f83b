import { Migration } from '@mikro-orm/migrations';

/** Rooms: people and agents in one place, their messages, the replies of agents, and the log that readers follow. */
export class Migration0120Rooms extends Migration {
  override up(): void {
    this.addSql(rooms);
    this.addSql(members);
    this.addSql(messages);
    this.addSql(turns);
    this.addSql(events);
    this.addSql(presence);
  }
}

const rooms = `
create table rooms (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  name text not null,
  description text,
  scene text,
  reply_mode text not null check (reply_mode in ('mention', 'rotate', 'all', 'auto')),
  agent_hops integer not null check (agent_hops between 0 and 4),
  replies_per_message integer not null check (replies_per_message between 1 and 10),
  payer text not null check (payer in ('sender', 'owner')),
  history text not null check (history in ('from_join', 'all')),
  last_position integer not null default 0,
  event_sequence integer not null default 0,
  -- The agent that answered last under rotate.
  rotated_position integer,
  last_message_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Set while it waits to be removed.
  deleted_at timestamptz(3)
);
create index rooms_owner_idx on rooms (owner_id);
`;

const members = `
create table room_members (
  room_id text collate "C" not null references rooms on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  role text not null check (role in ('owner', 'moderator', 'member')),
  state text not null check (state in ('invited', 'joined', 'left', 'removed', 'banned')),
  -- The place in the log at which the membership began.
  joined_position integer not null default 0,
  joined_sequence integer not null default 0,
  last_read_position integer not null default 0,
  muted_until timestamptz(3),
  shows_presence boolean not null default true,
  joined_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (room_id, user_id)
);
create index room_members_user_idx on room_members (user_id, state);

create table room_agents (
  room_id text collate "C" not null references rooms on delete cascade,
  agent_id text collate "C" not null references agents on delete cascade,
  added_by text collate "C" not null references users on delete cascade,
  muted boolean not null default false,
  position integer not null,
  created_at timestamptz(3) not null,
  primary key (room_id, agent_id)
);
create index room_agents_agent_idx on room_agents (agent_id);
create index room_agents_added_by_idx on room_agents (added_by);

create table room_invitations (
  id text collate "C" primary key,
  room_id text collate "C" not null references rooms on delete cascade,
  created_by text collate "C" not null references users on delete cascade,
  token_hash bytea not null unique,
  role text not null check (role in ('moderator', 'member')),
  max_uses integer not null check (max_uses between 1 and 100),
  uses integer not null default 0,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index room_invitations_room_idx on room_invitations (room_id, created_at desc, id desc);
create index room_invitations_created_by_idx on room_invitations (created_by);
create index room_invitations_expires_idx on room_invitations (expires_at);
`;

const messages = `
create table room_messages (
  room_id text collate "C" not null references rooms on delete cascade,
  position integer not null,
  id text collate "C" not null unique,
  author_kind text not null check (author_kind in ('user', 'agent', 'system')),
  -- Null once the account is gone.
  user_id text collate "C" references users on delete set null,
  agent_id text collate "C",
  -- Of the agent, as it was called when it spoke.
  author_name text,
  content text not null,
  mentions jsonb not null default '[]'::jsonb,
  reply_to integer,
  turn_id text collate "C",
  citations jsonb,
  truncated boolean not null default false,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (room_id, position)
);
create index room_messages_user_idx on room_messages (user_id, created_at, id);
`;

const turns = `
create table room_turns (
  id text collate "C" primary key,
  room_id text collate "C" not null references rooms on delete cascade,
  agent_id text collate "C" not null references agents on delete cascade,
  -- Who caused it: the author of the message at the root, or who asked for the turn.
  user_id text collate "C" not null references users on delete cascade,
  -- Who pays for it.
  payer_id text collate "C" not null references users on delete cascade,
  -- The message of a person that all turns of a chain go back to; of a turn that was asked for, its own id.
  root_id text collate "C" not null,
  -- In the room, in the order in which they were accepted.
  number integer not null,
  hop integer not null,
  state text not null check (state in ('queued', 'running', 'complete', 'stopped', 'failed', 'refused', 'dropped')),
  -- The id of the reply, reserved from the start.
  message_id text collate "C" not null,
  instance_id text not null default '',
  stop_requested boolean not null default false,
  -- The UTC day that was charged; null when nothing was, or it was given back.
  quota_day date,
  version_id text collate "C",
  -- The place in the log at which it began to run.
  started_position integer,
  started_sequence integer,
  error_code text,
  error_message text,
  partial_text text,
  input_tokens integer,
  output_tokens integer,
  first_words_ms integer,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3)
);
create unique index room_turns_running_key on room_turns (room_id) where state = 'running';
create index room_turns_queued_idx on room_turns (room_id, number) where state = 'queued';
create index room_turns_root_idx on room_turns (room_id, root_id);
create unique index room_turns_number_key on room_turns (room_id, number);
create index room_turns_agent_idx on room_turns (agent_id);
create index room_turns_user_idx on room_turns (user_id);
create index room_turns_payer_idx on room_turns (payer_id);
create index room_turns_instance_idx on room_turns (instance_id) where state = 'running';

create table room_turn_deltas (
  turn_id text collate "C" not null references room_turns on delete cascade,
  position integer not null,
  content text not null,
  primary key (turn_id, position)
);
`;

const events = `
create table room_events (
  room_id text collate "C" not null references rooms on delete cascade,
  -- Of the newest message before it.
  position integer not null,
  sequence integer not null,
  type text not null,
  -- Whom it is about.
  user_id text collate "C" references users on delete cascade,
  turn_id text collate "C",
  message_id text collate "C",
  -- The only person who is sent it; everyone when null.
  only_user_id text collate "C" references users on delete cascade,
  created_at timestamptz(3) not null,
  primary key (room_id, position, sequence)
);
create index room_events_user_idx on room_events (user_id);
create index room_events_only_user_idx on room_events (only_user_id);
`;

// Unlogged: each connection renews its row within seconds.
const presence = `
create unlogged table room_presence (
  room_id text collate "C" not null references rooms on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  connection_id text not null,
  instance_id text not null,
  state text not null check (state in ('active', 'away')),
  typing_until timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (room_id, user_id, connection_id)
);
create index room_presence_user_idx on room_presence (user_id);
create index room_presence_instance_idx on room_presence (instance_id);
create index room_presence_expires_idx on room_presence (expires_at);
`;
