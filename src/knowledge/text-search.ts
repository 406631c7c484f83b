import type { Ctx } from '../core/ctx.ts';

/** Chunks that share words with a question. */
export interface TextMatches {
  /** Best first. */
  any: string[];
  /** Those of them that have every word of the question. */
  all: string[];
  /** How well each matches, above 0 and below 1. */
  ranks: ReadonlyMap<string, number>;
  /** Every word is so frequent that only a sample of the chunks was looked at: better than nothing, but no more. */
  isSample: boolean;
}

const maxTerms = 64;

/** One chunk in 256 is in the sample, so this is about 3,000 chunks, which are ranked in a few milliseconds. */
const rankedInSample = 12;
/** How many more there are makes no difference. */
const tooMany = rankedInSample + 1;

// Words of the question as each language of the agent's documents has them, and in how many of a sample of the agent's
// chunks each stands. Built from lexemes, never from the text itself, so that no character of a question means anything
// to the query.
const readTerms = {
  name: 'knowledge_query_terms',
  text: `
    select l.language::text as language, t.term, s.count as "inSample"
    from (select distinct language from documents where agent_id = $1 and status = 'ready') l,
      lateral (select quote_literal(w.lexeme) as term from unnest(to_tsvector(l.language, spaced_pairs($2))) w order by w.lexeme limit ${maxTerms}) t,
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
// `is true` keeps the planner from a join, which would walk through all of the agent's documents for each chunk: it takes
// them for one, when it plans for any agent.
const ranked = `
  select c.id, ts_rank(c.terms, $3::tsquery, 1) as rank, c.terms @@ $4::tsquery as "hasAll"
  from chunks c
  where c.agent_id = $1 and c.terms @@ $2::tsquery
    and (c.document_id in (select d.id from documents d where d.agent_id = $1 and d.status = 'ready')) is true`;
const search = { name: 'knowledge_text_search', text: `${ranked} order by 2 desc, c.id limit $5` };
const searchSample = {
  name: 'knowledge_text_search_sample',
  text: `${ranked} and right(c.id, 2) = '00' order by 2 desc, c.id limit $5`,
};

/** What is asked of PostgreSQL's full text for a question. */
export interface TextQuery {
  agentId: string;
  /** Says which chunks are ranked; null when those would be too many whatever is asked for. */
  candidates: string | null;
  anyWord: string;
  everyWord: string;
}

/**
 * The words of a question, any of which counts. Where they are too frequent to rank every chunk that has one, those chunks
 * are ranked that have one of the rarer words, or all of the frequent ones. Null when there is no word to look for.
 */
export async function planTextSearch(ctx: Ctx, agentId: string, question: string): Promise<TextQuery | null> {
  const words = await ctx.sql<QueryTerm & { language: string }>(readTerms, [agentId, question]);
  const terms = [...new Map(words.map((word) => [word.term, word])).values()].slice(0, maxTerms);
  if (terms.length === 0) return null;
  const everyWord = Map.groupBy(words, ({ language }) => language)
    .values()
    .map((own) => and(own.map(({ term }) => term)));
  return {
    agentId,
    candidates: await candidatesOf(ctx, agentId, terms),
    anyWord: or(terms.map(({ term }) => term)),
    everyWord: or([...everyWord]),
  };
}

/** PostgreSQL's full text over the agent's chunks, by plain rank. */
export async function searchText(ctx: Ctx, query: TextQuery | null, limit: number): Promise<TextMatches> {
  if (query === null) return { any: [], all: [], ranks: new Map(), isSample: false };
  const { agentId, candidates, anyWord, everyWord } = query;
  const rows = await ctx.sql<{ id: string; rank: number; hasAll: boolean }>(candidates ? search : searchSample, [
    agentId,
    candidates ?? anyWord,
    anyWord,
    everyWord,
    limit,
  ]);
  return {
    any: rows.map(({ id }) => id),
    all: rows.filter(({ hasAll }) => hasAll).map(({ id }) => id),
    ranks: new Map(rows.map(({ id, rank }) => [id, rank / (rank + 1)])),
    isSample: candidates === null,
  };
}

interface QueryTerm {
  term: string;
  /** Up to `tooMany`. */
  inSample: number;
}

const or = (terms: readonly string[]): string => terms.join(' | ');
const and = (terms: readonly string[]): string => `(${terms.join(' & ')})`;

/** The query that says which chunks are ranked; null when they would be too many whatever is asked for. */
async function candidatesOf(ctx: Ctx, agentId: string, terms: readonly QueryTerm[]): Promise<string | null> {
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
