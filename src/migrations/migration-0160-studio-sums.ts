import { Migration } from '@mikro-orm/migrations';

/** Counts of an agent's people on days that are long over, so that a year of figures does not read each person of each day. */
export class Migration0160StudioSums extends Migration {
  override up(): void {
    this.addSql(`
      create table agent_people (
        agent_id text collate "C" not null references agents on delete cascade,
        subject text collate "C" not null,
        user_id text collate "C" not null references users on delete cascade,
        first_day date not null,
        last_day date not null,
        days bit(1024) not null,
        primary key (agent_id, subject)
      )`);
    this.addSql(`create index agent_people_user_idx on agent_people (user_id)`);
    this.addSql(`create index agent_people_last_day_idx on agent_people (last_day)`);
    this.addSql(`
      create table agent_day_people (
        agent_id text collate "C" not null references agents on delete cascade,
        day date not null,
        people integer not null,
        new_people integer not null,
        back_d1 integer not null,
        back_d7 integer not null,
        by_version jsonb not null,
        by_source jsonb not null,
        primary key (agent_id, day)
      )`);
    this.addSql(`
      create table agent_week_people (
        agent_id text collate "C" not null references agents on delete cascade,
        week date not null,
        people integer not null,
        new_people integer not null,
        rest_people integer not null,
        primary key (agent_id, week)
      )`);
    this.addSql(`
      create table studio_sums (
        id integer primary key default 1 check (id = 1),
        summed_until date not null
      )`);
  }
}
