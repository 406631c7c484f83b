import { Migration } from '@mikro-orm/migrations';

/** What a generation that ended without a reply had written, and replies that ended at a length limit. */
export class Migration0025GenerationEnds extends Migration {
  override up(): void {
    this.addSql(`alter table generations add column partial_text text`);
    this.addSql(`alter table messages add column truncated boolean not null default false`);
    this.addSql(keepTextOfFailures);
  }
}

const keepTextOfFailures = `
update generations g set partial_text = d.content
from (
  select generation_id, string_agg(content, '' order by position) as content from generation_deltas group by generation_id
) d
where g.id = d.generation_id and g.state in ('failed', 'interrupted')`;
