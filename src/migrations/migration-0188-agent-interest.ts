import { Migration } from '@mikro-orm/migrations';

/** Views of the listing of an agent and likes of it, by day, for the figures of its owner. */
export class Migration0188AgentInterest extends Migration {
  override up(): void {
    this.addSql(`
      create table agent_interest_days (
        agent_id text collate "C" not null references agents on delete cascade,
        day date not null,
        listing_views integer not null default 0,
        likes integer not null default 0,
        primary key (agent_id, day)
      )`);
  }
}
