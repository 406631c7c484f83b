import { Migration } from '@mikro-orm/migrations';

/** Agents on chat platforms: what is connected, who holds the connection, which messages came and what became of them. */
export class Migration0010Integrations extends Migration {
  override up(): void {
    this.addSql(integrations);
    this.addSql(connections);
    this.addSql(messages);
  }
}

const integrations = `
create table integrations (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  agent_id text collate "C" not null references agents on delete cascade,
  platform text not null check (platform in ('chat_server', 'chat_messenger', 'chat_workspace')),
  status text not null check (status in ('active', 'inactive', 'error')),
  -- Guild or workspace; empty where the platform has no such thing.
  place text collate "C" not null,
  channel_ids text[] not null,
  auto_respond boolean not null,
  bot_token text not null,
  token_hash bytea not null,
  error_code text,
  error_message text,
  message_count integer not null default 0,
  event_sequence integer not null default 0,
  connected_at timestamptz(3) not null,
  last_message_at timestamptz(3),
  created_at timestamptz(3) not null,
  check ((status = 'error') = (error_code is not null)),
  check ((error_code is null) = (error_message is null))
);
create unique index integrations_token_place_key on integrations (token_hash, place);
create index integrations_owner_idx on integrations (owner_id, created_at desc, id desc);
create index integrations_agent_idx on integrations (agent_id);
create index integrations_place_idx on integrations (platform, place) where status = 'active';
`;

// Apart from the integrations, because a heartbeat writes it.
const connections = `
create table integration_connections (
  integration_id text collate "C" primary key references integrations on delete cascade,
  -- The instance that holds the connection, until lease_expires_at by the clock of the database.
  holder text collate "C",
  lease_expires_at timestamptz(3),
  -- Grows each time it is enabled or disabled: an earlier connection is outdated.
  revision integer not null default 0,
  -- Whether integration.connected was sent since it was last made active.
  announced boolean not null default false,
  bot_user_id text collate "C",
  -- Where the platform lets a connection be resumed: up to the last event that is claimed.
  session jsonb,
  auth_failures integer not null default 0,
  -- The platform asked the bot to wait.
  paused_until timestamptz(3)
) with (fillfactor = 70);
create index integration_connections_holder_idx on integration_connections (holder);
create index integration_connections_bot_idx on integration_connections (bot_user_id);
`;

const messages = `
-- The conversation of one person in one channel or thread: the owner's, with the integration's agent.
create table integration_conversations (
  integration_id text collate "C" not null references integrations on delete cascade,
  chat_id text collate "C" not null,
  person_id text collate "C" not null,
  conversation_id text collate "C" not null references conversations on delete cascade,
  created_at timestamptz(3) not null,
  primary key (integration_id, chat_id, person_id)
);
create index integration_conversations_conversation_idx on integration_conversations (conversation_id);

-- Messages from the platform, one row each however often it is delivered; claimed before it is processed.
create table platform_messages (
  seq bigint generated always as identity primary key,
  integration_id text collate "C" not null references integrations on delete cascade,
  event_id text collate "C" not null,
  chat_id text collate "C" not null,
  person_id text collate "C" not null,
  state text not null check (state in ('received', 'replying', 'answered', 'refused', 'dropped', 'failed')),
  -- Target of the reply, the message and its reply; emptied when it is done.
  target jsonb not null,
  content text not null,
  parts jsonb,
  parts_sent integer not null default 0,
  -- A part was handed to the platform and nothing is known of it yet.
  sending boolean not null default false,
  failures integer not null default 0,
  created_at timestamptz(3) not null,
  unique (integration_id, event_id),
  check (state <> 'replying' or parts is not null)
);
create index platform_messages_open_idx on platform_messages (integration_id, chat_id, person_id, seq)
  where state in ('received', 'replying');
create index platform_messages_created_idx on platform_messages (created_at);

-- Notices that a channel has received, so that none is repeated too soon.
create table integration_notices (
  integration_id text collate "C" not null references integrations on delete cascade,
  chat_id text collate "C" not null,
  kind text not null check (kind in ('quota', 'flood')),
  noticed_at timestamptz(3) not null,
  primary key (integration_id, chat_id, kind)
);
`;
