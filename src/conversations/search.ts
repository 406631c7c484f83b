import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { parseInput } from '../core/input.ts';
import { searchInput } from './conversation.input.ts';
import type { Message } from './message.entity.ts';
import { messageColumns } from './messages.ts';
import { highlight, highlightPatterns } from './search-highlight.ts';
import { parseSearchQuery, stemmedWords, type Stems, toTsquery } from './search-query.ts';

export interface SearchResult {
  message: Message;
  conversation: { id: string; title: string | null };
  /** A piece of the message, or of the title when only that matches: escaped HTML with `<mark>` around matches. */
  highlight: string;
}

export interface SearchPage {
  data: SearchResult[];
  hasMore: boolean;
  /** Exact up to 10,000 matching messages, which is where the counting ends. */
  total: number;
}

interface Row extends Message {
  title: string | null;
  ofTitle: boolean;
  inflections: string[];
  hits: number;
  titles: number;
}

/**
 * The caller's messages and conversations that match `q`, best first, then newest. A title that matches answers with the
 * newest message of its conversation. Compared are the newest 500 matching messages, so that the cost doesn't grow with
 * what was written before. @throws AppError `invalid_request`
 */
export async function searchConversations(ctx: Ctx, input: unknown): Promise<SearchPage> {
  const { q, limit } = parseInput(searchInput, input);
  const userId = callerId(ctx);
  const query = parseSearchQuery(q);
  if (query.alternatives.length === 0) return { data: [], hasMore: false, total: 0 };
  const stems = await stemsOf(ctx, stemmedWords(query));
  const known = [...stems.values()].filter((stem) => stem !== null);
  const rows = await findBest(ctx, [userId, toTsquery(query, stems, userId), limit, known]);
  const patterns = highlightPatterns(query, stems);
  const data = rows.map((row) => toResult(row, patterns));
  const total = rows[0] ? Math.min(rows[0].hits, maxCounted) + rows[0].titles : 0;
  return { data, hasMore: total > data.length, total };
}

const findStems = {
  name: 'search_stems',
  text: `select word, ts_lexize('english_stem', word) as stems from unnest($1::text[]) as w (word)`,
};

async function stemsOf(ctx: Ctx, words: readonly string[]): Promise<Stems> {
  if (words.length === 0) return new Map();
  const rows = await ctx.sql<{ word: string; stems: string[] }>(findStems, [words]);
  return new Map(rows.map(({ word, stems }) => [word, stems[0] ?? null]));
}

const maxCounted = 10_000;
const compared = 500;
const read = 50_000;

// The tag in the query leads to the caller's words; whose message it is decides the column. `is true` keeps the planner
// from reading all messages of the user instead, and the first `select` from knowing how frequent the words are among all
// users: it would read the whole table, in the hope of meeting the caller's messages soon. The second keeps it from
// planning anew for each user, which takes longer than most searches.
const matching = (alias: string) =>
  `${alias}.search @@ (select $2::tsquery) and (${alias}.user_id = (select $1)) is true`;

// Rows are known by their place in the table (ctid), which holds inside one statement and is a fifth of an id.
const best = (name: string, newest: string, hits = 'select null::tid as row where false') => ({
  name,
  text: `
    with hits as materialized (
      ${hits}
    ), newest as materialized (
      ${newest}
    ), titles as materialized (
      select n.row, n.id, n.created_at, ts_rank(t.search, $2::tsquery, 1) as rank
      from conversation_titles t
      cross join lateral (
        select l.ctid as row, l.id, l.created_at from messages l
        where l.conversation_id = t.conversation_id order by l.position desc limit 1
      ) n
      where ${matching('t')}
      limit ${maxCounted}
    ), found as (
      select m.id, m.created_at, ts_rank(m.search, $2::tsquery, 1) as rank, false as of_title
      from newest n join messages m on m.ctid = n.row
      union all
      select id, created_at, rank, true from titles
    ), page as (
      select id, max(rank) as rank, bool_and(of_title) as of_title
      from found group by id, created_at order by rank desc, created_at desc, id desc limit $3
    )
    select ${messageColumns}, c.title, p.of_title as "ofTitle", (select count(*) from hits) as hits,
      (select count(*) from titles t where t.row not in (select h.row from hits h)) as titles,
      array(
        select w.word
        from unnest(tsvector_to_array(case when p.of_title then ct.search else m.search end)) as l (lexeme)
        cross join lateral (select substr(l.lexeme, 7) as word) w
        where exists (select from unnest($4::text[]) as s (stem) where left(s.stem, 1) = left(w.word, 1))
          and (ts_lexize('english_stem', w.word))[1] = any ($4::text[])
      ) as inflections
    from page p
    join messages m on m.id = p.id
    join conversations c on c.id = m.conversation_id
    left join conversation_titles ct on ct.conversation_id = c.id
    order by p.rank desc, m.created_at desc, m.id desc`,
});

const bestOfAll = best(
  'search_all',
  `select h.row from hits h order by h.created_at desc limit ${compared}`,
  `select m.ctid as row, m.created_at from messages m where ${matching('m')} limit ${maxCounted + 1}`,
);
const bestOfRecent = best(
  'search_recent',
  `select r.row from (
    select l.ctid as row, l.search from messages l where l.user_id = $1 order by l.created_at desc limit ${read}
  ) r where r.search @@ $2::tsquery limit ${compared}`,
);
const bestOfMany = best(
  'search_many',
  `select m.ctid as row from messages m where ${matching('m')} order by m.created_at desc limit ${compared}`,
);

/**
 * Hits come from the index in no order. When they are too many to sort, the newest messages are read one by one instead,
 * which soon finds enough of what is so frequent; if not, because it is frequent only in the past, all are sorted.
 */
async function findBest(ctx: Ctx, values: [string, string, number, string[]]): Promise<Row[]> {
  const rows = await ctx.sql<Row>(bestOfAll, values);
  if (!rows[0] || rows[0].hits <= maxCounted) return rows;
  const { hits } = rows[0];
  const recent = await ctx.sql<Row>(bestOfRecent, values);
  const newest = recent.length === values[2] ? recent : await ctx.sql<Row>(bestOfMany, values);
  return newest.map((row) => ({ ...row, hits }));
}

function toResult(row: Row, patterns: ReturnType<typeof highlightPatterns>): SearchResult {
  const { title, ofTitle, inflections, hits: _hits, titles: _titles, ...message } = row;
  return {
    message,
    conversation: { id: row.conversationId, title },
    highlight: highlight(ofTitle && title !== null ? title : row.content, patterns, inflections),
  };
}
