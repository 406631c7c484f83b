import { Migration } from '@mikro-orm/migrations';

/** Open sockets by account and instance, so that the limit of a plan holds over all instances. */
export class Migration0150AccountSockets extends Migration {
  override up(): void {
    this.addSql(`
      create table account_sockets (
        user_id text collate "C" not null references users on delete cascade,
        instance_id text collate "C" not null references instances on delete cascade,
        connections integer not null check (connections > 0),
        primary key (user_id, instance_id)
      )`);
    this.addSql(`create index account_sockets_instance_idx on account_sockets (instance_id)`);
  }
}
