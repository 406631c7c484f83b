import { Migration } from '@mikro-orm/migrations';

/** What the marketplace shows beside a public agent: its listing, reviews, and counts that notes are aggregated into. */
export class Migration0131Marketplace extends Migration {
  override up(): void {
    this.addSql(listings);
    this.addSql(counts);
    this.addSql(reviews);
    this.addSql(orders);
  }
}

const listings = `
create table listings (
  agent_id text collate "C" primary key references agents on delete cascade,
  -- Null until the agent is first published.
  slug text collate "C",
  about text,
  starters text[] not null default '{}',
  tags text[] not null default '{}',
  language text,
  content_rating text not null default 'everyone' check (content_rating in ('everyone', 'mature')),
  banner_url text,
  allow_copies boolean not null default false,
  copied_from text collate "C" references agents on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  search tsvector generated always as (to_tsvector('simple', coalesce(about, ''))) stored
);
create unique index listings_slug_key on listings (slug);
create index listings_copied_idx on listings (copied_from);
create index listings_banner_idx on listings (banner_url) where banner_url is not null;
create index listings_tags_idx on listings using gin (tags);
create index listings_search_idx on listings using gin (search);
create index listings_language_idx on listings (language) where language is not null;
create index listings_mature_idx on listings (agent_id) where content_rating = 'mature';

-- Slugs that an agent had. They lead to it until they expire.
create table listing_slugs (
  slug text collate "C" primary key,
  agent_id text collate "C" not null references agents on delete cascade,
  expires_at timestamptz(3) not null
);
create index listing_slugs_agent_idx on listing_slugs (agent_id);
create index listing_slugs_expires_idx on listing_slugs (expires_at);

create table featured_listings (
  agent_id text collate "C" primary key references agents on delete cascade,
  created_at timestamptz(3) not null
);
create index featured_listings_newest_idx on featured_listings (created_at desc, agent_id desc);
`;

const counts = `
create table listing_stats (
  agent_id text collate "C" primary key references agents on delete cascade,
  -- Of the last 28 days; null until it was counted.
  people integer,
  views bigint not null default 0,
  reviews integer not null default 0,
  -- Of accounts that are old enough.
  ratings integer not null default 0,
  rating_sum integer not null default 0
);

-- No foreign keys: a note of an agent that is gone is dropped.
create table listing_notes (
  id bigint generated always as identity primary key,
  agent_id text collate "C" not null,
  views integer not null default 0,
  reviews integer not null default 0,
  ratings integer not null default 0,
  rating_sum integer not null default 0,
  created_at timestamptz(3) not null
);

create table listing_views (
  agent_id text collate "C" not null references agents on delete cascade,
  -- A keyed hash of the network that changes every day.
  viewer bytea not null,
  created_at timestamptz(3) not null,
  primary key (agent_id, viewer)
);
create index listing_views_age_idx on listing_views (created_at);
`;

const reviews = `
create table reviews (
  id text collate "C" primary key,
  agent_id text collate "C" not null references agents on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  rating integer not null check (rating between 1 and 5),
  text text,
  owner_reply text,
  -- Whether the rating is in the sums: those of young accounts are added when they are older.
  is_counted boolean not null,
  moderation_state text not null default 'ok' check (moderation_state in ('ok', 'held', 'removed')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index reviews_agent_user_key on reviews (agent_id, user_id);
create index reviews_newest_idx on reviews (agent_id, created_at desc, id desc) where moderation_state = 'ok';
create index reviews_user_idx on reviews (user_id, created_at, id);
create index reviews_waiting_idx on reviews (created_at) where not is_counted and moderation_state = 'ok';
create index reviews_changed_idx on reviews (updated_at);
`;

// By popularity and trend explore's own indexes serve.
const orders = `
create index agents_published_idx on agents (coalesce(published_at, created_at) desc, id desc) where is_public;
create index agents_rating_idx on agents (rating_score desc, id desc) where is_public;
create index agents_name_idx on agents using gin (lower(name) gin_trgm_ops) where is_public;
`;
