import { Migration } from '@mikro-orm/migrations';

/** Mails, one-time tokens, the audit log, data exports and the end of accounts. */
export class Migration0005AccountLives extends Migration {
  override up(): void {
    this.addSql(mails);
    this.addSql(accountLives);
  }
}

const mails = `
-- Mails that are to be sent. The text can hold a token, so it is encrypted; the row goes when the mail is out.
create table mails (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  template text not null,
  sealed text not null,
  created_at timestamptz(3) not null
);
create index mails_user_idx on mails (user_id, created_at desc);

-- Where mails arrive when there is no mail server.
create table outbox_mails (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  recipient text not null,
  subject text not null,
  sealed text not null,
  created_at timestamptz(3) not null
);
create index outbox_mails_user_idx on outbox_mails (user_id);
create index outbox_mails_recipient_idx on outbox_mails (recipient, created_at desc, id desc);
create index outbox_mails_created_idx on outbox_mails (created_at desc, id desc);
`;

const accountLives = `
create table account_tokens (
  hash bytea primary key,
  user_id text collate "C" not null references users on delete cascade,
  kind text not null check (kind in ('verify', 'reset')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index account_tokens_user_idx on account_tokens (user_id, kind, created_at desc);
create index account_tokens_expires_idx on account_tokens (expires_at);

create table audit_events (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  action text not null,
  session_id text collate "C",
  api_key_id text collate "C",
  ip text,
  subject text,
  created_at timestamptz(3) not null
);
create index audit_events_user_idx on audit_events (user_id, created_at desc, id desc);

create table data_exports (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  status text not null check (status in ('processing', 'ready', 'failed', 'expired')),
  size_bytes bigint,
  requested_at timestamptz(3) not null,
  completed_at timestamptz(3),
  expires_at timestamptz(3)
);
create index data_exports_user_idx on data_exports (user_id, requested_at desc);
create unique index data_exports_running_key on data_exports (user_id) where status = 'processing';
create index data_exports_expires_idx on data_exports (expires_at) where status = 'ready';

-- What is left of an account: nothing that tells whose it was. user_id is there only while the purge runs.
create table deletion_receipts (
  id uuid primary key default gen_random_uuid(),
  user_id text collate "C" unique,
  requested_at timestamptz(3) not null,
  started_at timestamptz(3) not null,
  completed_at timestamptz(3),
  counts jsonb not null default '{}'
);
`;
