import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { cursorOf, readCursor } from '../../core/cursor.ts';
import type { SqlValue } from '../../core/database/sql.ts';
import { invalidField } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { inLiveConversation } from '../deleted.ts';
import { searchInput } from '../conversation.input.ts';
import type { Message } from '../messages/message.entity.ts';
import { messageColumns } from '../messages/messages.ts';
import { highlight, highlightPatterns } from './search-highlight.ts';
import { parseSearchQuery, stemmedWords, type Stems, toTsquery } from './search-query.ts';
import { onReplica } from '../../core/database/replica.ts';

export interface SearchResult {
  message: Message;
  conversation: { id: string; title: string | null };
  /** Excerpt of the message, or of the title if only the title matches: escaped HTML with `<mark>` around matches. */
  highlight: string;
}

export interface SearchPage {
  data: SearchResult[];
  hasMore: boolean;
  /** Number of matching messages, counted up to 1,000. */
  total: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

interface Row extends Message {
  rank: number;
  title: string | null;
  ofTitle: boolean;
  inflections: string[];
  hits: number;
  /** Number of matching messages whose ranks were compared. */
  candidates: number;
  titles: number;
}

/**
 * Searches the messages on active branches and the titles of the caller's conversations, best match first, then newest.
 * A matching title returns the newest message of its conversation. Only the newest 500 matching messages are ranked, so
 * that the cost does not grow with the history; pages end there. `agentId` and `since` restrict the messages.
 * @throws AppError `invalid_request`
 */
export const searchConversations = onReplica(async (ctx: Ctx, input: unknown): Promise<SearchPage> => {
  const { q, limit, after, agentId, since } = parseInput(searchInput, input);
  const cursor = after ? readSearchCursor(after) : null;
  const userId = callerId(ctx);
  const query = parseSearchQuery(q);
  if (query.alternatives.length === 0) return nothing;
  const stems = await stemsOf(ctx, stemmedWords(query));
  const known = [...stems.values()].filter((stem) => stem !== null);
  const text = toTsquery(query, stems, userId);
  const scope = [agentId ?? null, since ?? null, cursor?.rank ?? null, cursor?.createdAt ?? null, cursor?.id ?? null];
  // One additional row shows whether there are more.
  const rows = await findBest(ctx, [userId, text, limit + 1, known, ...scope]);
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const patterns = highlightPatterns(query, stems);
  const data = rows.map((row) => toResult(row, patterns));
  const total = rows[0] ? Math.min(rows[0].hits, maxCounted) + rows[0].titles : 0;
  const last = rows.at(-1);
  const endCursor = last ? searchCursorOf(last) : null;
  return { data, hasMore, total, pageInfo: { hasNextPage: hasMore, endCursor } };
});

const nothing: SearchPage = { data: [], hasMore: false, total: 0, pageInfo: { hasNextPage: false, endCursor: null } };
const cursorName = 'search';

const searchCursorOf = ({ rank, createdAt, id }: Row): string =>
  cursorOf(cursorName, { key: `${rank} ${createdAt.getTime()}`, id });

function readSearchCursor(text: string): { rank: number; createdAt: Date; id: string } {
  const { key, id } = readCursor(cursorName, 'text', text);
  const [, rank, time] = /^(\S{1,30}) (\d{1,14})$/.exec(String(key)) ?? [];
  if (!Number.isFinite(Number(rank)) || time === undefined)
    throw invalidField('after', 'unknown_cursor', 'after must be a cursor of this list, in this order');
  return { rank: Number(rank), createdAt: new Date(Number(time)), id };
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

const maxCounted = 1_000;
const compared = 500;
const read = 10_000;

// The tag in the query finds the caller's words in the index; the column `user_id` decides to whom a message belongs.
// The condition contains three hints for the planner. `is true` keeps it from reading all messages of the user instead
// of the index. The first `select` hides how frequent the words are among all users, which would make it scan the whole
// table. The second one avoids planning again for each user, which takes longer than most searches.
const matching = (alias: string) =>
  `${alias}.search @@ (select $2::tsquery) and (${alias}.user_id = (select $1)) is true`;

/** Returns the columns of a candidate. They include its search vector, because reading the row again takes longer. */
const candidate = (alias: string) => `${alias}.id, ${alias}.created_at, ${alias}.search`;

/** Returns the condition that a conversation and a time match `agentId` and `since`, if given. */
const inScope = (conversation: string, createdAt: string) => `
  ($5::text is null or exists (select from conversations f where f.id = ${conversation} and f.agent_id = $5))
  and ($6::timestamptz is null or ${createdAt} >= $6)`;

const noHits = `select null::text as id, null::timestamptz as created_at, null::tsvector as search where false`;

const best = (name: string, newest: string, hits = noHits) => ({
  name,
  text: `
    with hits as materialized (
      ${hits}
    ), newest as materialized (
      ${newest}
    ), titles as materialized (
      select n.id, n.created_at, ts_rank(t.search, $2::tsquery, 1) as rank
      from conversation_titles t
      cross join lateral (
        select l.id, l.created_at from messages l
        where l.conversation_id = t.conversation_id and ${ofAccountUnindexed('l.user_id', '$1')} and l.active order by l.position desc limit 1
      ) n
      where ${matching('t')} and ${inLiveConversation('t')} and ${inScope('t.conversation_id', 'n.created_at')}
      limit ${maxCounted}
    ), found as (
      select n.id, n.created_at, ts_rank(n.search, $2::tsquery, 1) as rank, false as of_title
      from newest n
      union all
      select id, created_at, rank, true from titles
    ), page as (
      select id, max(rank) as rank, bool_and(of_title) as of_title
      from found group by id, created_at
      having $7::float4 is null or (select count(*) from hits) > ${maxCounted} or (max(rank), created_at, id) < ($7::float4, $8::timestamptz, $9::text collate "C")
      order by rank desc, created_at desc, id desc limit $3
    )
    select ${messageColumns}, p.rank, c.title, p.of_title as "ofTitle", (select count(*) from hits) as hits,
      (select count(*) from newest) as candidates,
      (select count(*) from titles t where t.id not in (select h.id from hits h)) as titles,
      array(
        select w.word
        from unnest(tsvector_to_array(case when p.of_title then ct.search else m.search end)) as l (lexeme)
        cross join lateral (select substr(l.lexeme, 7) as word) w
        where exists (select from unnest($4::text[]) as s (stem) where left(s.stem, 1) = left(w.word, 1))
          and (ts_lexize('english_stem', w.word))[1] = any ($4::text[])
      ) as inflections
    from page p
    join messages m on m.id = p.id and m.user_id = $1
    join conversations c on c.id = m.conversation_id
    left join conversation_titles ct on ct.conversation_id = c.id
    order by p.rank desc, m.created_at desc, m.id desc`,
});

const bestOfAll = best(
  'search_all',
  // One is enough to report that there are too many, on whichever page.
  `select ${candidate('h')} from hits h order by h.created_at desc
   limit case when (select count(*) from hits) > ${maxCounted} then 1 else ${compared} end`,
  `select ${candidate('m')} from messages m where ${matching('m')} and m.active and ${inLiveConversation('m')} and ${inScope('m.conversation_id', 'm.created_at')} limit ${maxCounted + 1}`,
);
const bestOfRecent = best(
  'search_recent',
  // The inner limit keeps the planner from reading all messages of the account.
  `select ${candidate('l')} from (
     select m.* from messages m where m.user_id = $1 order by m.created_at desc limit ${read}
   ) l
   where (l.search @@ $2::tsquery) is true and l.active and ${inLiveConversation('l')} and ${inScope('l.conversation_id', 'l.created_at')}
   order by l.created_at desc limit ${compared}`,
);
const bestOfMany = best(
  'search_many',
  `select ${candidate('m')} from messages m where ${matching('m')} and m.active and ${inLiveConversation('m')} and ${inScope('m.conversation_id', 'm.created_at')} order by m.created_at desc limit ${compared}`,
);

/**
 * Returns the best matches. The index returns hits in no order. If there are too many to sort, the newest messages are read one
 * by one instead, in the order of their index, which soon finds enough of frequent words. If the newest 10,000 do not contain
 * enough, the word is rare enough to sort all of its hits.
 */
async function findBest(ctx: Ctx, values: [string, string, number, ...SqlValue[]]): Promise<Row[]> {
  const rows = await ctx.sql<Row>(bestOfAll, values);
  if (!rows[0] || rows[0].hits <= maxCounted) return rows;
  const { hits } = rows[0];
  const recent = await ctx.sql<Row>(bestOfRecent, values);
  const newest = recent[0]?.candidates === compared ? recent : await ctx.sql<Row>(bestOfMany, values);
  return newest.map((row) => ({ ...row, hits }));
}

function toResult(row: Row, patterns: ReturnType<typeof highlightPatterns>): SearchResult {
  const {
    title,
    ofTitle,
    inflections,
    rank: _rank,
    hits: _hits,
    candidates: _candidates,
    titles: _titles,
    ...message
  } = row;
  return {
    message,
    conversation: { id: row.conversationId, title },
    highlight: highlight(ofTitle && title !== null ? title : row.content, patterns, inflections),
  };
}
