import { Migration } from '@mikro-orm/migrations';

/** Number of times that a model chose who replies, in rooms that the account pays for. */
export class Migration0240RoomChoices extends Migration {
  override up(): void {
    this.addSql(`alter table usage_counters add column choices integer not null default 0`);
  }
}
