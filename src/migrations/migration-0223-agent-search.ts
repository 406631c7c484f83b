import { Migration } from '@mikro-orm/migrations';

/** Public agents are found in the normal form of their texts: in every script, with or without accents. */
export class Migration0223AgentSearch extends Migration {
  override up(): void {
    this.addSql(`drop index agents_text_idx`);
    this.addSql(`
      create index agents_text_idx on agents
      using gin (normal_form(name || ' ' || coalesce(description, '')) gin_trgm_ops) where is_public`);
    this.addSql(`drop index agents_name_idx`);
    this.addSql(`create index agents_name_idx on agents using gin (normal_form(name) gin_trgm_ops) where is_public`);
  }
}
