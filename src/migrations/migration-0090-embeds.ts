import { Migration } from '@mikro-orm/migrations';

/** Agents on other websites, their visitors, and the daily allowance of embeddings. */
export class Migration0090Embeds extends Migration {
  override up(): void {
    this.addSql(
      `alter table usage_counters add column embedding_tokens bigint not null default 0 check (embedding_tokens >= 0)`,
    );
    this.addSql(embeds);
    this.addSql(visitors);
    this.addSql(days);
  }
}

const embeds = `
create table embeds (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  agent_id text collate "C" not null references agents on delete cascade,
  name text not null,
  active boolean not null default true,
  allowed_origins text[] not null,
  test boolean not null default false,
  identity text not null check (identity in ('anonymous', 'optional', 'required')),
  identity_secret text not null,
  -- Valid until its time is over.
  previous_secret text,
  previous_secret_expires_at timestamptz(3),
  per_day integer not null check (per_day >= 1),
  per_visitor_day integer not null check (per_visitor_day >= 1),
  per_address_hour integer not null check (per_address_hour >= 1),
  challenge text not null check (challenge in ('none', 'turnstile')),
  challenge_site_key text,
  challenge_secret text,
  appearance jsonb not null,
  retention_days integer not null check (retention_days between 1 and 365),
  notice text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Set while it waits to be removed.
  deleted_at timestamptz(3)
);
create index embeds_owner_idx on embeds (owner_id, created_at desc, id desc);
create index embeds_agent_idx on embeds (agent_id);
`;

const visitors = `
create table embed_visitors (
  id text collate "C" primary key,
  embed_id text collate "C" not null references embeds on delete cascade,
  -- Who it is to the website, from an identity token.
  external_id text,
  name text,
  -- The current one; older ones are in embed_conversations only.
  conversation_id text collate "C" references conversations on delete set null,
  -- Messages of a UTC day.
  day date,
  day_messages integer not null default 0,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- Set while the visitor waits to be erased.
  forgotten_at timestamptz(3)
);
create unique index embed_visitors_external_key on embed_visitors (embed_id, external_id) where external_id is not null;
create index embed_visitors_seen_idx on embed_visitors (embed_id, last_seen_at desc, id desc);
create index embed_visitors_conversation_idx on embed_visitors (conversation_id);

create table embed_sessions (
  token_hash bytea primary key,
  visitor_id text collate "C" not null references embed_visitors on delete cascade,
  expires_at timestamptz(3) not null
);
create index embed_sessions_visitor_idx on embed_sessions (visitor_id);
create index embed_sessions_expires_idx on embed_sessions (expires_at);

create table embed_conversations (
  conversation_id text collate "C" primary key references conversations on delete cascade,
  visitor_id text collate "C" not null references embed_visitors on delete cascade,
  embed_id text collate "C" not null references embeds on delete cascade
);
create index embed_conversations_visitor_idx on embed_conversations (visitor_id);
create index embed_conversations_embed_idx on embed_conversations (embed_id);
`;

const days = `
create table embed_days (
  embed_id text collate "C" not null references embeds on delete cascade,
  day date not null,
  -- Accepted.
  messages integer not null default 0,
  -- Of these, given back because they got no reply.
  refunds integer not null default 0,
  visitors integer not null default 0,
  new_visitors integer not null default 0,
  refused_per_day integer not null default 0,
  refused_per_visitor_day integer not null default 0,
  refused_per_address_hour integer not null default 0,
  primary key (embed_id, day)
);
`;
