import { Migration } from '@mikro-orm/migrations';

/** Experiments, the people who met them, and what their variants have shown. */
export class Migration0051Experiments extends Migration {
  override up(): void {
    this.addSql(`
      create table experiments (
        id text collate "C" primary key,
        agent_id text collate "C" not null references agents on delete cascade,
        name text not null,
        hypothesis text,
        status text not null check (status in ('draft', 'running', 'paused', 'ended')),
        variants jsonb not null,
        metric text not null check (metric in ('continued', 'returned')),
        expected_people integer not null,
        min_days integer not null,
        created_at timestamptz(3) not null,
        started_at timestamptz(3),
        ended_at timestamptz(3),
        ended_reason text,
        winner_version_id text collate "C"
      )`);
    this.addSql(`
      create unique index experiments_under_way_key on experiments (agent_id) where status in ('running', 'paused');
      create index experiments_agent_idx on experiments (agent_id, created_at desc, id desc)`);
    this.addSql(`
      create table experiment_exposures (
        experiment_id text collate "C" not null references experiments on delete cascade,
        subject text collate "C" not null,
        variant text not null,
        user_id text collate "C" not null references users on delete cascade,
        exposed_at timestamptz(3) not null,
        window_ends_at timestamptz(3) not null,
        summed boolean not null default false,
        counted_at timestamptz(3),
        success boolean,
        primary key (experiment_id, subject)
      )`);
    this.addSql(`
      create index experiment_exposures_user_idx on experiment_exposures (user_id);
      create index experiment_exposures_new_idx on experiment_exposures (experiment_id) where not summed;
      create index experiment_exposures_open_idx on experiment_exposures (window_ends_at) where counted_at is null`);
    this.addSql(`
      create table experiment_sums (
        experiment_id text collate "C" not null references experiments on delete cascade,
        variant text not null,
        exposed integer not null default 0,
        people integer not null default 0,
        successes integer not null default 0,
        replies integer not null default 0,
        failed integer not null default 0,
        thumbs_up integer not null default 0,
        thumbs_down integer not null default 0,
        primary key (experiment_id, variant)
      )`);
  }
}
