import type { Ctx } from '../../core/ctx.ts';
import type { Question } from './question.ts';
import { type QueryTerm, rarityOf } from './word-coverage.ts';

const maxTerms = 64;

/** One chunk in 256 is in the sample, so this stands for about 3,000 chunks, which are ranked in a few milliseconds. */
const rankedInSample = 12;
const sampledOneIn = 256;
/** Counting stops here. */
const tooMany = rankedInSample + 1;
/** A word of fewer chunks in the sample is counted exactly, up to the second figure. */
const fewInSample = 2;
const mostCounted = 200;

// Lexemes of the question in each language of the agent's documents, with their frequency in the agent's chunks. The search
// is built from lexemes, never from the text, so no character of a query is an operator.
const readTerms = {
  name: 'knowledge_query_terms',
  text: `
    select l.language::text as language, l.chunks, t.term, t.own as "isOwn", s.count as "inSample", case
        when s.count < ${fewInSample} then (
          select count(*) from (
            select from chunks c where c.agent_id = $1 and c.terms @@ t.term::tsquery limit ${mostCounted}
          ) few)
      end as counted
    from (
        select language, coalesce(sum(sum(chunks_total)) over (), 0)::integer as chunks
        from documents where agent_id = $1 and status = 'ready' group by language
      ) l,
      lateral (select tsvector_to_array(to_tsvector(l.language, spaced_pairs($3))) as lexemes offset 0) own,
      lateral (
        select quote_literal(w.lexeme) as term, w.lexeme = any (own.lexemes) as own
        from unnest(to_tsvector(l.language, spaced_pairs($2))) w order by 2 desc, w.lexeme limit ${maxTerms}
      ) t,
      lateral (
        select count(*) from (
          select from chunks c
          where c.agent_id = $1 and right(c.id, 2) = '00' and c.terms @@ t.term::tsquery limit ${tooMany}
        ) few
      ) s`,
};
const countInSample = {
  name: 'knowledge_query_sample',
  text: `
    select count(*) as count from (
      select from chunks c where c.agent_id = $1 and right(c.id, 2) = '00' and c.terms @@ $2::tsquery limit ${tooMany}
    ) few`,
};
// `is true` keeps the planner from a join, which would scan the agent's documents for each chunk: a generic plan estimates
// them as one.
const ranked = `
  select c.id, ts_rank(c.terms, $3::tsquery, 1) as rank from chunks c
  where c.agent_id = $1 and c.terms @@ $2::tsquery
    and (c.document_id in (select d.id from documents d where d.agent_id = $1 and d.status = 'ready')) is true`;
const search = { name: 'knowledge_text_search', text: `${ranked} order by 2 desc, c.id limit $4` };
const searchSample = {
  name: 'knowledge_text_search_sample',
  text: `${ranked} and right(c.id, 2) = '00' order by 2 desc, c.id limit $4`,
};

/** A full-text search for a question. */
export interface TextQuery {
  agentId: string;
  /** Its words in each language of the agent's documents. */
  terms: QueryTerm[];
  /** Selects the chunks that are ranked; null when every selection would be too large. */
  candidates: string | null;
  anyWord: string;
}

interface TermRow {
  language: string;
  /** Of the agent. */
  chunks: number;
  term: string;
  isOwn: boolean;
  /** Up to `tooMany`. */
  inSample: number;
  counted: number | null;
}

/**
 * Plans a search for any word of the question. Where they are too frequent to rank every chunk that contains one, only
 * chunks with one of the rarer words, or all of the frequent ones, are ranked. Null when the question has no word.
 */
export async function planTextSearch(ctx: Ctx, agentId: string, question: Question): Promise<TextQuery | null> {
  const rows = await ctx.sql<TermRow>(readTerms, [agentId, question.inContext ?? question.message, question.message]);
  const distinct = [...new Map(rows.map((row) => [row.term, row])).values()].slice(0, maxTerms);
  if (distinct.length === 0) return null;
  const terms = rows.map(({ language, term, isOwn, ...row }) => ({
    language,
    term,
    isOwn,
    rarity: rarityOf(chunksWith(row), row.chunks),
  }));
  const candidates = await candidatesOf(ctx, agentId, distinct);
  return { agentId, terms, candidates, anyWord: or(distinct.map(({ term }) => term)) };
}

const chunksWith = ({ inSample, counted }: Pick<TermRow, 'inSample' | 'counted'>): number =>
  counted !== null && counted < mostCounted ? counted : Math.max(mostCounted, inSample * sampledOneIn);

/** Returns the agent's chunks with a word of the question, best first by PostgreSQL's full-text rank. */
export async function searchText(ctx: Ctx, query: TextQuery | null, limit: number): Promise<string[]> {
  if (query === null) return [];
  const { agentId, candidates, anyWord } = query;
  const rows = await ctx.sql<{ id: string }>(candidates ? search : searchSample, [
    agentId,
    candidates ?? anyWord,
    anyWord,
    limit,
  ]);
  return rows.map(({ id }) => id);
}

const or = (terms: readonly string[]): string => terms.join(' | ');
const and = (terms: readonly string[]): string => `(${terms.join(' & ')})`;

/** Returns the query that selects the chunks to rank; null when every selection would be too large. */
async function candidatesOf(
  ctx: Ctx,
  agentId: string,
  terms: readonly Pick<TermRow, 'term' | 'inSample'>[],
): Promise<string | null> {
  const rare: string[] = [];
  const frequent: string[] = [];
  let inSample = 0;
  for (const { term, inSample: own } of terms.toSorted((a, b) => a.inSample - b.inSample)) {
    inSample += own;
    (inSample <= rankedInSample ? rare : frequent).push(term);
  }
  if (frequent.length === 0) return or(rare);
  const together = and(frequent);
  const [sample] = await ctx.sql<{ count: number }>(countInSample, [agentId, together]);
  if ((sample?.count ?? 0) <= rankedInSample) return or([...rare, together]);
  return rare.length > 0 ? or(rare) : null;
}
