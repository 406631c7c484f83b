import type { Ctx } from '../../core/ctx.ts';
import type { Question } from './question.ts';
import { type QueryTerm, rarityOf } from './word-coverage.ts';

const maxTerms = 64;

/**
 * Maximum number of matches in the sample. One chunk in 256 is sampled, so this stands for about 3,000 chunks, which
 * PostgreSQL ranks in a few milliseconds.
 */
const rankedInSample = 12;
const sampledOneIn = 256;
/** Counting stops at this number. */
const tooMany = rankedInSample + 1;
/** Words in fewer sampled chunks than this are counted exactly, up to the second number. */
const fewInSample = 2;
const maxCounted = 200;

// Reads the lexemes of the question in each language of the agent's documents, with their frequency in the sample. The
// rarest lexemes whose chunks are few in total are not `isFrequent`; `together` counts the sampled chunks that contain
// all of the others. The search is built from lexemes, never from the text, so no character of a query is parsed as an
// operator.
const readLexemes = {
  name: 'knowledge_query_words',
  text: `
    with words as materialized (
      select l.language::text as language, l.chunks, t.term, t.own as "isOwn", s.count as "inSample", row_number() over () as n
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
        ) s
    ), searched as materialized (
      select term, sum("inSample") over (order by "inSample", n) > ${rankedInSample} as "isFrequent"
      from (
        select term, min("inSample") as "inSample", min(n) as n from words group by term order by 3 limit ${maxTerms}
      ) w
    )
    select w.language, w.chunks, w.term, w."isOwn", w."inSample", s."isFrequent", t.count as together
    from words w left join searched s on s.term = w.term,
      (select string_agg(term, ' & ') as query from searched where "isFrequent") f,
      lateral (
        select count(*) from (
          select from chunks c
          where c.agent_id = $1 and right(c.id, 2) = '00' and c.terms @@ f.query::tsquery limit ${tooMany}
        ) few
      ) t
    order by w.n`,
};
const countChunks = {
  name: 'knowledge_query_counts',
  text: `
    select t.term, few.count from unnest($2::text[]) as t (term), lateral (
      select count(*) from (
        select from chunks c where c.agent_id = $1 and c.terms @@ t.term::tsquery limit ${maxCounted}
      ) chunks_with
    ) few`,
};
// `is true` prevents a join that would scan the agent's documents for each chunk: a generic plan estimates one
// document.
const ranked = `
  select c.id, ts_rank(c.terms, $3::tsquery, 1) as rank from chunks c
  where c.agent_id = $1 and c.terms @@ $2::tsquery
    and (c.document_id in (select d.id from documents d where d.agent_id = $1 and d.status = 'ready')) is true`;
const search = { name: 'knowledge_text_search', text: `${ranked} order by 2 desc, c.id limit $4` };
const searchSample = {
  name: 'knowledge_text_search_sample',
  text: `${ranked} and right(c.id, 2) = '00' order by 2 desc, c.id limit $4`,
};

/** The words of a question in each language of the agent's documents, and the text search query. */
interface QuestionWords {
  agentId: string;
  words: readonly Word[];
  /** Text search query that selects the chunks to rank; null when every selection would be too large. */
  candidates: string | null;
  anyWord: string;
}

/** The words of a question with their weights. */
interface TextQuery extends QuestionWords {
  terms: QueryTerm[];
}

interface Word {
  language: string;
  /** Number of chunks of the agent. */
  chunks: number;
  term: string;
  isOwn: boolean;
  /** Number of sampled chunks with the word, up to `tooMany`. */
  inSample: number;
  /** Null for words beyond the maximum number of search terms. */
  isFrequent: boolean | null;
  /** Number of sampled chunks with all frequent words, up to `tooMany`. */
  together: number;
}

/**
 * Plans a search for any word of the question. Where words are too frequent to rank every chunk that contains one, only
 * chunks with one of the rarer words or with all of the frequent ones are ranked. Returns null when the question has no
 * word.
 */
export async function readWords(ctx: Ctx, agentId: string, question: Question): Promise<QuestionWords | null> {
  const asked = [agentId, question.inContext ?? question.message, question.message];
  const words = await ctx.sql<Word>(readLexemes, asked);
  const searched = words.filter(({ isFrequent }) => isFrequent !== null);
  if (searched.length === 0) return null;
  const termsOf = (chosen: readonly Word[]): string[] => [...new Set(chosen.map(({ term }) => term))];
  const rare = termsOf(searched.filter(({ isFrequent }) => !isFrequent));
  const frequent = termsOf(searched.filter(({ isFrequent }) => isFrequent));
  const selections = [...rare];
  if (frequent.length > 0 && (searched[0]?.together ?? 0) <= rankedInSample) selections.push(and(frequent));
  return {
    agentId,
    words,
    candidates: selections.length > 0 ? or(selections) : null,
    anyWord: or(termsOf(searched)),
  };
}

/** Returns the words with their rarity among the agent's chunks. */
export async function weighWords(ctx: Ctx, { agentId, words }: QuestionWords): Promise<QueryTerm[]> {
  const few = words.filter(({ inSample }) => inSample < fewInSample).map(({ term }) => term);
  const rows = await ctx.sql<{ term: string; count: number }>(countChunks, [agentId, [...new Set(few)]]);
  const counts = new Map(rows.map(({ term, count }) => [term, count]));
  return words.map(({ language, term, isOwn, inSample, chunks }) => {
    const counted = counts.get(term) ?? maxCounted;
    const found = counted < maxCounted ? counted : Math.max(maxCounted, inSample * sampledOneIn);
    return { language, term, isOwn, rarity: rarityOf(found, chunks) };
  });
}

/** Reads and weighs the words of a question. */
export async function planTextSearch(ctx: Ctx, agentId: string, question: Question): Promise<TextQuery | null> {
  const words = await readWords(ctx, agentId, question);
  return words && { ...words, terms: await weighWords(ctx, words) };
}

/** Returns the agent's chunks that contain a word of the question, best first by PostgreSQL's full-text rank. */
export async function searchText(ctx: Ctx, query: QuestionWords | null, limit: number): Promise<string[]> {
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
