import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes the words of chunks in their normal form, and other spellings of numbers, dates and identifiers. Words are
 * stemmed as written and then normalised, because stems depend on accents. Thai, Lao, Khmer and Burmese, which have no
 * spaces either, are indexed like Chinese. Chunks from before keep their words until they are written again.
 */
export class Migration0247SearchVectors extends Migration {
  override up(): void {
    this.addSql(`alter table chunks add column spellings text not null default ''`);
    this.addSql(spacedPairs);
    this.addSql(searchVector);
    this.addSql(termsOfChunk);
    this.addSql(trigger);
  }
}

const spacedPairs = String.raw`
create or replace function spaced_pairs(given text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(given) = length(given) or given !~ c then given else
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(given,
      c, '\&\&', 'g'),
      '(?<!' || c || ')' || c, ' ', 'g'),
      c || c, '\& ', 'g'),
      '(?<!' || c || ')' || c || '(?!' || c || ')', ' ', 'g')
  end
  from (select '[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u1000-\u103f\u1780-\u17d3\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]') unspaced (c)
$$`;

const accented = 'àáâ ãäå āăą çćč ďđè éêë ēėę ěğì íîï īįı łľļ ñńň ņòó ôõö øőō řśş šșť țùú ûüū ůűų ýÿž źżķ ģ'.replaceAll(
  ' ',
  '',
);
const unaccented =
  'aaa aaa aaa ccc dde eee eee egi iii iii lll nnn noo ooo ooo rss sst tuu uuu uuu yyz zzk g'.replaceAll(' ', '');

// The words of a text as a vector is written: 'word':1,5. A word that consists of signs without a normal form is left
// out, because an empty word is an error.
const searchVector = String.raw`
create function search_vector(language regconfig, given text) returns tsvector language plpgsql immutable strict parallel safe as $$
declare
  spelled text := given;
  plain text;
  words tsvector;
begin
  if octet_length(given) > length(given) then
    spelled := translate(normalize(given, NFKC), E'\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff', '');
  end if;
  words := to_tsvector(language, spaced_pairs(spelled));
  if octet_length(words::text) = length(words::text) then
    return words;
  end if;
  -- Most Latin text; the normal form of other scripts takes ten times as long.
  plain := replace(translate(words::text, '${accented}', '${unaccented}'), 'ß', 'ss');
  if octet_length(plain) > length(plain) then
    plain := regexp_replace(normal_form(words::text), '(^| )'''':[0-9,]+', '', 'g');
  end if;
  return plain::tsvector;
end $$`;

const termsOfChunk = `
create or replace function set_chunk_terms() returns trigger language plpgsql as $$
begin
  new.terms := search_vector(new.language, new.place || ' ' || new.content || ' ' || new.spellings);
  return new;
end $$`;

const trigger = `
create or replace trigger chunks_terms before insert or update of place, content, language, spellings on chunks
  for each row execute function set_chunk_terms()`;
