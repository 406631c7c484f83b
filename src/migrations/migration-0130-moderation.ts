import { Migration } from '@mikro-orm/migrations';

/** Reports, cases, decisions with their appeals, and accounts that may not publish. */
export class Migration0130Moderation extends Migration {
  override up(): void {
    this.addSql(reports);
    this.addSql(cases);
    this.addSql(decisions);
    this.addSql(states);
  }
}

const reports = `
create table moderation_reports (
  id text collate "C" primary key,
  reporter_id text collate "C" references users on delete set null,
  contact_email text,
  subject_type text not null,
  subject_id text collate "C" not null,
  reason text not null,
  comment text,
  status text not null default 'received' check (status in ('received', 'actioned', 'dismissed')),
  created_at timestamptz(3) not null,
  decided_at timestamptz(3)
);
create unique index moderation_reports_reporter_key on moderation_reports (reporter_id, subject_type, subject_id)
  where reporter_id is not null;
create index moderation_reports_newest_idx on moderation_reports (reporter_id, created_at desc, id desc);
create index moderation_reports_subject_idx on moderation_reports (subject_type, subject_id, created_at desc, id desc);
create index moderation_reports_age_idx on moderation_reports (created_at);
`;

const cases = `
create table moderation_cases (
  id text collate "C" primary key,
  subject_type text not null,
  subject_id text collate "C" not null,
  author_id text collate "C" references users on delete cascade,
  is_open boolean not null,
  reporters integer not null,
  reports integer not null,
  marks text[] not null default '{}',
  appealed_at timestamptz(3),
  opened_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index moderation_cases_open_idx on moderation_cases (reporters desc, id desc) where is_open;
create index moderation_cases_author_idx on moderation_cases (author_id);
create index moderation_cases_age_idx on moderation_cases (updated_at) where not is_open;
`;

const decisions = `
create table moderation_decisions (
  id text collate "C" primary key,
  subject_type text not null,
  subject_id text collate "C" not null,
  author_id text collate "C" references users on delete set null,
  moderator_id text collate "C" references users on delete set null,
  action text not null check (action in ('none', 'hold', 'remove', 'restore', 'restrict_author')),
  reason text not null,
  statement text not null,
  automated boolean not null,
  appeal_text text,
  appealed_at timestamptz(3),
  appeal_outcome text check (appeal_outcome in ('none', 'hold', 'remove', 'restore', 'restrict_author')),
  appeal_decided_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((appeal_text is null) = (appealed_at is null))
);
create index moderation_decisions_author_idx on moderation_decisions (author_id, created_at desc, id desc);
create index moderation_decisions_moderator_idx on moderation_decisions (moderator_id);
create index moderation_decisions_subject_idx on moderation_decisions (subject_type, subject_id, created_at desc, id desc);
create index moderation_decisions_age_idx on moderation_decisions (updated_at);

create table moderation_restrictions (
  user_id text collate "C" not null references users on delete cascade,
  case_id text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (user_id, case_id)
);
create index moderation_restrictions_case_idx on moderation_restrictions (case_id);
`;

const states = `
alter table agents
  add column moderation_state text not null default 'ok' check (moderation_state in ('ok', 'in_review', 'held', 'removed')),
  add column published_at timestamptz(3),
  add column rating_score double precision not null default 0;
alter table images
  add column moderation_state text not null default 'ok' check (moderation_state in ('ok', 'held', 'removed'));
`;
