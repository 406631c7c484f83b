import { Migration } from '@mikro-orm/migrations';

/** Lets a statement fail for a reason of the service, so that the commit that was sent with it rolls back. */
export class Migration0179Refuse extends Migration {
  override up(): void {
    this.addSql(`
      create function refuse(reason text) returns text language plpgsql as $$
      begin
        raise exception using errcode = 'AC001', message = reason;
      end $$`);
  }
}
