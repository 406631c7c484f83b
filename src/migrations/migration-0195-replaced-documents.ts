import { Migration } from '@mikro-orm/migrations';

/** The document that another one replaces once it is ready. */
export class Migration0195ReplacedDocuments extends Migration {
  override up(): void {
    this.addSql(`
      alter table documents add column replaces text collate "C" references documents on delete set null;
      create index documents_replaces_idx on documents (replaces)`);
  }
}
