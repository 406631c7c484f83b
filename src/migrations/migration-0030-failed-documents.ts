import { Migration } from '@mikro-orm/migrations';

/** Failed documents are removed after a day, in the order in which they failed. */
export class Migration0030FailedDocuments extends Migration {
  override up(): void {
    this.addSql(`create index documents_failed_idx on documents (completed_at) where status = 'failed'`);
  }
}
