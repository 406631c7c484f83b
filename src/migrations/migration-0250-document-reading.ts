import { Migration } from '@mikro-orm/migrations';

/** How documents were read, the locations of their chunks, the encoding that the owner stated, and more formats. */
export class Migration0250DocumentReading extends Migration {
  override up(): void {
    this.addSql(`
      alter table documents add column encoding text, add column reading jsonb;
      alter table documents drop constraint documents_format_check;
      alter table documents add constraint documents_format_check
        check (format in ('txt', 'pdf', 'md', 'csv', 'tsv', 'json', 'jsonl'));
      alter table chunks add column location jsonb`);
  }
}
