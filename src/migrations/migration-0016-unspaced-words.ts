import { Migration } from '@mikro-orm/migrations';

/**
 * Chinese, Japanese and Korean are found by their words: what is written without spaces is kept as pairs of neighbouring
 * characters, because PostgreSQL takes all of it for one word. A trigger fills the column that was generated, since
 * generating it otherwise would write every row again; existing chunks keep their words until they are extracted again.
 */
export class Migration0016UnspacedWords extends Migration {
  override up(): void {
    this.addSql(spacedPairs);
    this.addSql(`alter table chunks alter column terms drop expression`);
    this.addSql(termsOfChunk);
  }
}

// Doubled, a run lacks its first and its last half: AABBCC becomes AB BC.
const spacedPairs = String.raw`
create function spaced_pairs(given text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(given) = length(given) or given !~ c then given else
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(given,
      c, '\&\&', 'g'),
      '(?<!' || c || ')' || c, ' ', 'g'),
      c || c, '\& ', 'g'),
      '(?<!' || c || ')' || c || '(?!' || c || ')', ' ', 'g')
  end
  from (select '[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]') unspaced (c)
$$`;

const termsOfChunk = `
create function set_chunk_terms() returns trigger language plpgsql as $$
begin
  new.terms := to_tsvector(new.language, spaced_pairs(new.place || ' ' || new.content));
  return new;
end $$;
create trigger chunks_terms before insert or update of place, content, language on chunks
  for each row execute function set_chunk_terms()`;
