import { Migration } from '@mikro-orm/migrations';

/** Lets a task index the chunks of earlier releases like new ones; until then they are found by the words as written. */
export class Migration0248ReindexedChunks extends Migration {
  override up(): void {
    this.addSql(`
      insert into tasks (kind, key, payload, run_at, max_attempts, created_at)
      select 'document.reindex', 'all', '{"after":""}', now(), 1000, now() where exists (select from documents)`);
  }
}
