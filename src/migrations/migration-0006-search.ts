import { Migration } from '@mikro-orm/migrations';

/**
 * Search over messages and titles. Every word is indexed behind a tag of its user, so that the words of one user stand
 * side by side in the index: looking up a prefix costs what the caller has written, never what all others have.
 *
 * `search_words` and `src/conversations/search/search-text.ts` split and fold text alike; a test holds them together. Names in
 * its body are found without a search path, as a restore of a dump needs.
 */
export class Migration0006Search extends Migration {
  override up(): void {
    this.addSql(words);
    this.addSql(messages);
    this.addSql(titles);
  }
}

// Latin, Greek and Cyrillic accents go, other marks carry meaning and stay. A word is a run of what is no separator.
const separators = String.raw`\u0001-/:-@\[-\u0060{-\u00bf\u00d7\u00f7\u02b0-\u036f\u055a-\u055f\u0589\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e4f\u0e5a\u0e5b\u1361-\u1368\u17d4-\u17da\u2000-\u25ff\u27c0-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u3099-\u309c\u30a0\u30fb\ue000-\uf8ff\ufe00-\ufe6f\uff00-\uff0f`;
// Scripts written without spaces, and pictures: Thai to Khmer, Hangul, kana, Han, emoji.
const unspaced = String.raw`\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3021-\u302f\u3031-\u3098\u309d-\u309f\u30a1-\u30fa\u30fc-\u9fff\ua960-\ua97f\uac00-\ud7ff\U0001f000-\U0003ffff`;

const words = String.raw`
create function search_words(user_id text, content text) returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  folded text collate "C";
  tag text := '''' || right(user_id, 6);
begin
  if octet_length(content) = length(content) then
    folded := regexp_replace(lower(content collate "C"), '[^a-z0-9]+', ' ', 'g');
  else
    folded := lower(normalize(regexp_replace(normalize(content, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC) collate "und-x-icu");
    folded := translate(folded, 'ςøłđıðħŧŋ', 'σoldidhtn');
    folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    folded := regexp_replace(folded, '[${separators}]+', ' ', 'g');
    if folded ~ '[${unspaced}]' then
      -- Each character of an unspaced script with the one after it: any substring is then a chain of neighbours.
      folded := regexp_replace(folded, '([^ ${unspaced}])([${unspaced}])', '\1 \2', 'g');
      folded := regexp_replace(folded, '([${unspaced}])', E'\\1\u0001 ', 'g');
      folded := (
        select string_agg(case
          when right(piece, 1) <> E'\u0001' then piece
          when right(next, 1) = E'\u0001' then left(piece, 1) || left(next, 1)
          else left(piece, 1) end, ' ' order by n)
        from (
          select piece, n, lead(piece) over (order by n) as next
          from string_to_table(left(folded, 100000), ' ') with ordinality as p (piece, n)
        ) pieces
        where piece <> '');
    end if;
  end if;
  -- A word too long for the index is known by its beginning; a position too high for it starts over, so that neighbours
  -- stay neighbours. The stem stands beside the word, without a position: a phrase is of words as written.
  return coalesce((
    select string_agg(
      tag || left(word, 64) || ''':' || (n - 1) % 16000 + 1
        || coalesce(' ' || tag || nullif((ts_lexize('english_stem', left(word, 64)))[1], left(word, 64)) || '''', ''), ' ')
    from string_to_table(left(folded, 100000), ' ') with ordinality as w (word, n)
    where word <> ''), '')::tsvector;
end $$;
`;

// Without a pending list: every search would read it, and an unlucky writer would have to merge it.
const messages = `
alter table messages add column search tsvector generated always as (search_words(user_id, content)) stored;
create index messages_search_idx on messages using gin (search) with (fastupdate = off);
`;

// Beside the conversations, because their rows change with every message and each change would be indexed again.
const titles = `
create table conversation_titles (
  conversation_id text collate "C" primary key references conversations on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  search tsvector not null
);
create index conversation_titles_user_idx on conversation_titles (user_id);
create index conversation_titles_search_idx on conversation_titles using gin (search) with (fastupdate = off);

create function index_title() returns trigger language plpgsql as $$
begin
  if new.title is null then
    delete from conversation_titles where conversation_id = new.id;
  else
    insert into conversation_titles (conversation_id, user_id, search)
    values (new.id, new.user_id, setweight(search_words(new.user_id, new.title), 'A'))
    on conflict (conversation_id) do update set search = excluded.search;
  end if;
  return null;
end $$;
create trigger conversations_title_insert after insert on conversations
  for each row when (new.title is not null) execute function index_title();
create trigger conversations_title_update after update of title on conversations
  for each row when (new.title is distinct from old.title) execute function index_title();

insert into conversation_titles (conversation_id, user_id, search)
select id, user_id, setweight(search_words(user_id, title), 'A') from conversations where title is not null;
`;
