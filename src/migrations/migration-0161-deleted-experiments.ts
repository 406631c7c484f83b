import { Migration } from '@mikro-orm/migrations';

/** A deleted experiment is hidden at once; a task removes the people who took part. */
export class Migration0161DeletedExperiments extends Migration {
  override up(): void {
    this.addSql(`alter table experiments add column deleted_at timestamptz(3)`);
  }
}
