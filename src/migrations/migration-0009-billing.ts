import { Migration } from '@mikro-orm/migrations';

/** What the payment processor knows of our users, and what we asked of it. */
export class Migration0009Billing extends Migration {
  override up(): void {
    this.addSql(billing);
  }
}

const billing = `
create table billing_accounts (
  user_id text collate "C" primary key references users on delete cascade,
  customer_id text collate "C" not null unique,
  -- Reads of the processor are numbered when they start; one that was overtaken is not written.
  last_ticket bigint not null default 0,
  applied_ticket bigint not null default 0,
  subscription_id text collate "C",
  plan text check (plan in ('plus', 'pro', 'creator')),
  status text check (status in ('active', 'past_due', 'canceled', 'unpaid', 'incomplete')),
  "interval" text check ("interval" in ('month', 'year')),
  current_period_start timestamptz(3),
  current_period_end timestamptz(3),
  cancel_at timestamptz(3),
  canceled_at timestamptz(3),
  started_at timestamptz(3),
  pending_plan text check (pending_plan in ('plus', 'pro', 'creator')),
  pending_at timestamptz(3),
  past_due_since timestamptz(3),
  event_sequence integer not null default 0,
  updated_at timestamptz(3) not null
);

create table invoices (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  processor_invoice_id text collate "C" not null unique,
  number text not null,
  amount bigint not null,
  currency text not null,
  status text not null check (status in ('draft', 'open', 'paid', 'void', 'uncollectible')),
  plan text not null check (plan in ('plus', 'pro', 'creator')),
  "interval" text not null check ("interval" in ('month', 'year')),
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  paid_at timestamptz(3),
  invoice_pdf text,
  created_at timestamptz(3) not null
);
create index invoices_user_idx on invoices (user_id, created_at desc, number desc);

-- What was asked of the processor and is not known to be done: the key under which to ask again.
create table billing_intents (
  user_id text collate "C" not null references users on delete cascade,
  slot text not null check (slot in ('checkout', 'subscription')),
  request text not null,
  idempotency_key text collate "C" not null,
  previous_plan text,
  session_id text,
  created_at timestamptz(3) not null,
  primary key (user_id, slot)
);

create table processor_events (
  id text collate "C" primary key,
  type text not null,
  customer_id text collate "C",
  created_at timestamptz(3) not null,
  received_at timestamptz(3) not null
);
create index processor_events_received_idx on processor_events (received_at);

-- The last comparison of every account with the processor.
create table billing_comparison (
  only_row boolean primary key default true check (only_row),
  finished_at timestamptz(3) not null,
  compared integer not null,
  drifted integer not null,
  failed integer not null
);
`;
