import { Migration } from '@mikro-orm/migrations';

/** One chunk in 256, evenly spread, by its words: how frequent a word is in an agent's documents, read in no time. */
export class Migration0011KnowledgeSample extends Migration {
  override up(): void {
    this.addSql(`create index chunks_terms_sample_idx on chunks using gin (agent_id, terms) where right(id, 2) = '00'`);
  }
}
