import { Migration } from '@mikro-orm/migrations';

/**
 * Makes `search_vector` about three times as fast for text with accents, typographic signs or other scripts: only words
 * that have such characters are changed, and only characters that may need it are normalised. It returns the same.
 */
export class Migration0249CheaperWords extends Migration {
  override up(): void {
    this.addSql(searchVector);
  }
}

const accented = 'àáâ ãäå āăą çćč ďđè éêë ēėę ěğì íîï īįı łľļ ñńň ņòó ôõö øőō řśş šșť țùú ûüū ůűų ýÿž źżķ ģ'.replaceAll(
  ' ',
  '',
);
const unaccented =
  'aaa aaa aaa ccc dde eee eee egi iii iii lll nnn noo ooo ooo rss sst tuu uuu uuu yyz zzk g'.replaceAll(' ', '');

// Characters of words whose normal form is themselves: Cyrillic, Greek, kana, Han, Hangul.
const normal = String.raw`\u0001-\u007f\u0430-\u0438\u043a-\u044f\u0454\u0456\u0491\u03b1-\u03c1\u03c3-\u03c9\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3`;

// Frequent characters that NFKC leaves as they are: Latin, Cyrillic and Han letters, kana, typographic signs.
const composed = String.raw`\u0001-\u007f\u00a1-\u00a7\u00a9\u00ab\u00ac\u00ae\u00b0\u00b1\u00b6\u00b7\u00bb\u00bf-\u0131\u0141-\u0148\u014a-\u017e\u0400-\u045f\u2012-\u2014\u2018-\u2022\u2030\u2032\u20ac\u2190-\u2193\u2212\u2500-\u257f\u3001-\u300f\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff`;

// The changed words are written as a vector is: 'word':1,5. A word that consists of signs without a normal form is left
// out, because an empty word is an error.
const searchVector = String.raw`
create or replace function search_vector(language regconfig, given text) returns tsvector language plpgsql immutable strict parallel safe as $$
declare
  spelled text collate "C" := given;
  words tsvector;
  changed text[];
  plain text;
begin
  if octet_length(given) = length(given) then
    return to_tsvector(language, given);
  end if;
  if spelled ~ '[^${composed}]' then
    spelled := translate(normalize(spelled, NFKC), E'\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff', '');
  end if;
  words := to_tsvector(language, spaced_pairs(spelled));
  select array_agg(w.lexeme), string_agg(
    '''' || replace(replace(n.word, '\', '\\'), '''', '''''') || ''':' || array_to_string(w.positions, ','), ' ') filter (where n.word <> '')
  into changed, plain
  from (select * from unnest(words) where octet_length(lexeme) > length(lexeme) offset 0) w,
    lateral (select case when w.lexeme collate "C" ~ '[${accented}ß]'
      then replace(translate(w.lexeme, '${accented}', '${unaccented}'), 'ß', 'ss') else w.lexeme end as word offset 0) l,
    lateral (select translate(l.word, E'\u0439\u0451\u0457\u045e', E'\u0438\u0435\u0456\u0443') as word offset 0) c,
    lateral (select case when c.word collate "C" ~ '[^${normal}]' then normal_form(c.word) else c.word end as word offset 0) n
  where n.word <> w.lexeme;
  if changed is null then
    return words;
  end if;
  return (ts_delete(words, changed)::text || ' ' || coalesce(plain, ''))::tsvector;
end $$`;
