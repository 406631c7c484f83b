import { Migration } from '@mikro-orm/migrations';

/** Counts of listings that changed since the last recount, at first all of them, and the result of that recount. */
export class Migration0209ListingRecounts extends Migration {
  override up(): void {
    this.addSql(`
      alter table listing_stats add column recount_due boolean not null default true;
      create index listing_stats_recount_idx on listing_stats (agent_id) where recount_due;
      create table listing_recounts (
        id smallint primary key check (id = 1),
        counters integer not null,
        drifted integer not null,
        finished_at timestamptz(3) not null
      )`);
  }
}
