import { Migration } from '@mikro-orm/migrations';

/** Documents, their chunks, and the vectors of the chunks where no other store keeps them. */
export class Migration0007Knowledge extends Migration {
  override up(): void {
    this.addSql(documents);
    this.addSql(chunks);
    this.addSql(vectors);
    this.addSql(removal);
  }
}

const documents = `
create extension if not exists btree_gin;

create table documents (
  id text collate "C" primary key,
  agent_id text collate "C" not null references agents on delete cascade,
  owner_id text collate "C" not null references users on delete cascade,
  filename text not null,
  format text not null check (format in ('txt', 'pdf', 'md', 'csv', 'json')),
  size_bytes integer not null check (size_bytes > 0),
  status text not null check (status in ('processing', 'ready', 'failed')),
  -- Set as soon as the text is split; until then the chunks there are may be those of an attempt that was cut short.
  chunks_total integer,
  chunks_done integer not null default 0,
  language regconfig not null default 'simple',
  -- The model and size of its vectors; those of two spaces are never compared.
  space text,
  error_code text,
  error_message text,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  check ((status = 'failed') = (error_code is not null))
);
create index documents_agent_idx on documents (agent_id, created_at desc, id desc);
create index documents_owner_idx on documents (owner_id) where status <> 'failed';
create index documents_space_idx on documents (space) where status = 'ready';

-- What had lost its document and was removed, ever.
create table document_strays (
  kind text primary key check (kind in ('files', 'vectors', 'chunks')),
  removed bigint not null
);

-- Goes up with every change of what an agent's questions may find, so that caches know when they are old.
create table agent_vector_versions (
  agent_id text collate "C" primary key references agents on delete cascade,
  version bigint not null
);
`;

const chunks = `
-- Without a foreign key on purpose: a large document's chunks go in batches after its row. Readers join the document.
create table chunks (
  id text collate "C" primary key,
  document_id text collate "C" not null,
  agent_id text collate "C" not null,
  position integer not null,
  place text not null,
  content text not null,
  language regconfig not null,
  -- The space in which it has a vector.
  space text,
  terms tsvector not null generated always as (to_tsvector(language, place || ' ' || content)) stored,
  unique (document_id, position)
);
create index chunks_terms_idx on chunks using gin (agent_id, terms);
`;

const vectors = `
create table chunk_vectors (
  document_id text collate "C" not null,
  space text not null,
  position integer not null,
  chunk_id text collate "C" not null,
  agent_id text collate "C" not null,
  -- float32, little-endian, of length 1; and the same in one byte a number, for the first look.
  vector bytea not null,
  codes bytea not null,
  scale real not null,
  error real not null,
  primary key (document_id, space, position)
) with (toast_tuple_target = 8160);
alter table chunk_vectors alter column vector set storage external, alter column codes set storage external;
create unique index chunk_vectors_chunk_key on chunk_vectors (chunk_id, space);
`;

// Whatever deletes a document's row (a request, or the cascade of an agent or an account) leaves the work of removing
// the rest of it, and no cache continues to serve it.
const removal = `
create function leave_document_removal() returns trigger language plpgsql as $$
begin
  insert into tasks (kind, key, payload, run_at, max_attempts, created_at)
  values ('document.remove', old.id, jsonb_build_object('documentId', old.id, 'agentId', old.agent_id), now(), 1000, now())
  on conflict do nothing;
  update agent_vector_versions set version = version + 1 where agent_id = old.agent_id;
  return old;
end $$;
create trigger documents_removal after delete on documents for each row execute function leave_document_removal();
`;
