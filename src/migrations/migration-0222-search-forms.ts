import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes the normal form of messages and titles. Stems are marked with `=`: a stem without a position made every phrase
 * fail whose last word was a prefix of it. A task indexes existing messages again; until then they are found as before.
 */
export class Migration0222SearchForms extends Migration {
  override up(): void {
    this.addSql(words);
    this.addSql(`
      insert into tasks (kind, key, payload, run_at, max_attempts, created_at)
      select 'conversation.reindex', 'all', '{"after":""}', now(), 1000, now() where exists (select from messages)`);
  }
}

const separators = String.raw`\u0001-/:-@\[-\u0060{-\u00bf\u00d7\u00f7\u02b0-\u036f\u055a-\u055f\u0589\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e4f\u0e5a\u0e5b\u1361-\u1368\u17d4-\u17da\u2000-\u25ff\u27c0-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u3099-\u309c\u30a0\u30fb\ue000-\uf8ff\ufe00-\ufe6f\uff00-\uff0f`;
// Scripts written without spaces, and pictures: Thai to Khmer, Hangul, kana, Han, emoji.
const unspaced = String.raw`\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3021-\u302f\u3031-\u3098\u309d-\u309f\u30a1-\u30fa\u30fc-\u9fff\ua960-\ua97f\uac00-\ud7ff\U0001f000-\U0003ffff`;

const words = String.raw`
create or replace function search_words(user_id text, content text) returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  form text collate "C" := public.normal_form(content);
  tag text := '''' || right(user_id, 6);
begin
  if octet_length(form) = length(form) then
    form := regexp_replace(form, '[^a-z0-9]+', ' ', 'g');
  else
    form := regexp_replace(form, '[${separators}]+', ' ', 'g');
    if form ~ '[${unspaced}]' then
      -- Each character of an unspaced script with the one after it: any substring is then a chain of neighbours.
      form := regexp_replace(form, '([^ ${unspaced}])([${unspaced}])', '\1 \2', 'g');
      form := regexp_replace(form, '([${unspaced}])', E'\\1\u0001 ', 'g');
      form := (
        select string_agg(case
          when right(piece, 1) <> E'\u0001' then piece
          when right(next, 1) = E'\u0001' then left(piece, 1) || left(next, 1)
          else left(piece, 1) end, ' ' order by n)
        from (
          select piece, n, lead(piece) over (order by n) as next
          from string_to_table(left(form, 100000), ' ') with ordinality as p (piece, n)
        ) pieces
        where piece <> '');
    end if;
  end if;
  -- A word that is too long for the index is cut. Positions above the maximum start again, so that neighbours remain
  -- neighbours. A stem has no position: phrases consist of words as written.
  return coalesce((
    select string_agg(
      tag || left(word, 64) || ''':' || (n - 1) % 16000 + 1
        || coalesce(' ' || tag || '=' || nullif((ts_lexize('english_stem', left(word, 64)))[1], left(word, 64)) || '''', ''), ' ')
    from string_to_table(left(form, 100000), ' ') with ordinality as w (word, n)
    where word <> ''), '')::tsvector;
end $$;
`;
