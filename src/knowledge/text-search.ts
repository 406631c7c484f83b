import type { Ctx } from '../core/ctx.ts';

/** Chunks that share words with a question. */
export interface TextMatches {
  /** Best first. */
  any: string[];
  /** Those of them that have every word of the question. */
  all: string[];
  /** How well each matches, above 0 and below 1. */
  ranks: ReadonlyMap<string, number>;
}

// Words of the question as each language of the agent's documents has them. Built from lexemes, never from the text
// itself, so that no character of a question means anything to the query.
const readTerms = {
  name: 'knowledge_query_terms',
  text: `
    select l.language::text as language, array(
      select quote_literal(t.lexeme) from unnest(to_tsvector(l.language, $2)) t order by t.lexeme
    ) as terms
    from (select distinct language from documents where agent_id = $1 and status = 'ready') l`,
};
const search = {
  name: 'knowledge_text_search',
  text: `
    select c.id, ts_rank(c.terms, q.any_of, 1) as rank, c.terms @@ q.all_of as "hasAll"
    from (select $2::tsquery as any_of, $3::tsquery as all_of) q, chunks c
    where c.agent_id = $1 and c.terms @@ q.any_of
      and exists (select from documents d where d.id = c.document_id and d.status = 'ready')
    order by 2 desc, c.id limit $4`,
};
const maxTerms = 64;

/** PostgreSQL's full text over the agent's chunks: any word of the question counts, plain rank. */
export async function searchText(ctx: Ctx, agentId: string, question: string, limit: number): Promise<TextMatches> {
  const languages = await ctx.sql<{ language: string; terms: string[] }>(readTerms, [agentId, question]);
  const any = new Set(languages.flatMap(({ terms }) => terms).slice(0, maxTerms));
  if (any.size === 0) return { any: [], all: [], ranks: new Map() };
  const everyWord = languages
    .filter(({ terms }) => terms.length > 0)
    .map(({ terms }) => `(${terms.slice(0, maxTerms).join(' & ')})`);
  const rows = await ctx.sql<{ id: string; rank: number; hasAll: boolean }>(search, [
    agentId,
    [...any].join(' | '),
    everyWord.join(' | '),
    limit,
  ]);
  return {
    any: rows.map(({ id }) => id),
    all: rows.filter(({ hasAll }) => hasAll).map(({ id }) => id),
    ranks: new Map(rows.map(({ id, rank }) => [id, rank / (rank + 1)])),
  };
}
