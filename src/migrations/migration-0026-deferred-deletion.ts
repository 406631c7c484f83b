import { Migration } from '@mikro-orm/migrations';

/**
 * Agents and conversations can be too large to delete in a request. A deleted one is marked, which hides it at once, and
 * removed in batches. The indexes hold only what waits for that.
 */
export class Migration0026DeferredDeletion extends Migration {
  override up(): void {
    for (const table of ['agents', 'conversations']) {
      this.addSql(`alter table ${table} add column deleted_at timestamptz(3)`);
      this.addSql(`create index ${table}_deleted_idx on ${table} (id) where deleted_at is not null`);
    }
  }
}
