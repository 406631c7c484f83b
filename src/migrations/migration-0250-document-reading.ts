import { Migration } from '@mikro-orm/migrations';

/**
 * How documents were read, the locations of their chunks, and the encoding that the owner stated. Formats are no longer
 * listed in the database, because a new one would need a constraint that refuses what other releases write.
 */
export class Migration0250DocumentReading extends Migration {
  override up(): void {
    this.addSql(`
      alter table documents add column encoding text, add column reading jsonb;
      alter table documents drop constraint documents_format_check;
      alter table chunks add column location jsonb`);
  }
}
