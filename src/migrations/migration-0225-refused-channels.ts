import { Migration } from '@mikro-orm/migrations';

/** Channels in which a platform refuses a bot's replies, and notices for commands and for messages without text. */
export class Migration0225RefusedChannels extends Migration {
  override up(): void {
    this.addSql(`
      create table integration_refusals (
        integration_id text collate "C" not null references integrations on delete cascade,
        channel_id text collate "C" not null,
        refusals integer not null,
        retry_at timestamptz(3) not null,
        refused_at timestamptz(3) not null,
        primary key (integration_id, channel_id)
      )`);
    this.addSql(`create index integration_refusals_refused_idx on integration_refusals (refused_at)`);
    this.addSql(`alter table integration_notices drop constraint integration_notices_kind_check`);
    this.addSql(`
      alter table integration_notices add constraint integration_notices_kind_check
      check (kind in ('quota', 'flood', 'unreadable', 'start', 'help'))`);
  }
}
