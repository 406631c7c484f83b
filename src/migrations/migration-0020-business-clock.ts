import { Migration } from '@mikro-orm/migrations';

/** How far business time was moved forward (`POST /dev/clock`). There is no row until it is moved the first time. */
export class Migration0020BusinessClock extends Migration {
  override up(): void {
    this.addSql(`
      create table business_clock (
        id boolean primary key default true check (id),
        offset_seconds bigint not null check (offset_seconds >= 0)
      )`);
  }
}
