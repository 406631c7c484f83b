import { Migration } from '@mikro-orm/migrations';

/**
 * Which chunks of a document have their vector is kept with the document: noted in each chunk, it wrote every chunk and
 * its words into the index a second time.
 */
export class Migration0012KnowledgeProgress extends Migration {
  override up(): void {
    this.addSql(`
      alter table documents
        -- Positions of the chunks that have a vector, and of which space and size of chunks.
        add column embedded int4multirange not null default '{}',
        add column embedded_in text;
      alter table chunks drop column space;
    `);
  }
}
