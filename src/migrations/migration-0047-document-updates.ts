import { Migration } from '@mikro-orm/migrations';

/** The documents that are being processed, for those who follow them. */
export class Migration0047DocumentUpdates extends Migration {
  override up(): void {
    this.addSql(`create index documents_processing_idx on documents (agent_id) where status = 'processing'`);
  }
}
