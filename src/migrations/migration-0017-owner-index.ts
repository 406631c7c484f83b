import { Migration } from '@mikro-orm/migrations';

/** Gives `documents.owner_id` an index of every document, so that deleting a user does not scan the table. */
export class Migration0017OwnerIndex extends Migration {
  override up(): void {
    this.addSql(`
      create index documents_owner_status_idx on documents (owner_id, status);
      drop index documents_owner_idx;
    `);
  }
}
