import { Migration } from '@mikro-orm/migrations';

/**
 * Words of new chunks that wait to be merged into the index are read through by every question, up to 4 MB of them until
 * autovacuum runs. With a quarter of that, inserts merge them sooner.
 */
export class Migration0013KnowledgeWords extends Migration {
  override up(): void {
    this.addSql(`alter index chunks_terms_idx set (gin_pending_list_limit = 1024)`);
  }
}
