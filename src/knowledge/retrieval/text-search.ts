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

// Lexemes of the question in each language of the agent's documents, with their frequency in the sample. The rarest whose
// chunks are few together are not `isFrequent`; `together` are the chunks of the sample with all of the others. The search
// is built from lexemes, never from the text, so no character of a query is an operator.
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
        select from chunks c where c.agent_id = $1 and c.terms @@ t.term::tsquery limit ${mostCounted}
      ) chunks_with
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

/** The words of a question in each language of the agent's documents, and what is searched for. */
interface QuestionWords {
  agentId: string;
  words: readonly Word[];
  /** Selects the chunks that are ranked; null when every selection would be too large. */
  candidates: string | null;
  anyWord: string;
}

/** The same with the weights of the words. */
interface TextQuery extends QuestionWords {
  terms: QueryTerm[];
}

interface Word {
  language: string;
  /** Of the agent. */
  chunks: number;
  term: string;
  isOwn: boolean;
  /** Up to `tooMany`. */
  inSample: number;
  /** Null when there are more words than are searched for. */
  isFrequent: boolean | null;
  /** Of all frequent words, up to `tooMany`. */
  together: number;
}

/**
 * Plans a search for any word of the question. Where they are too frequent to rank every chunk that contains one, only
 * chunks with one of the rarer words, or all of the frequent ones, are ranked. Null when the question has no word.
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
    const counted = counts.get(term) ?? mostCounted;
    const found = counted < mostCounted ? counted : Math.max(mostCounted, inSample * sampledOneIn);
    return { language, term, isOwn, rarity: rarityOf(found, chunks) };
  });
}

/** Both of the above. */
export async function planTextSearch(ctx: Ctx, agentId: string, question: Question): Promise<TextQuery | null> {
  const words = await readWords(ctx, agentId, question);
  return words && { ...words, terms: await weighWords(ctx, words) };
}

/** Returns the agent's chunks with a word of the question, best first by PostgreSQL's full-text rank. */
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
