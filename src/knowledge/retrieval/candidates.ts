import type { Ctx } from '../../core/ctx.ts';
import { scoreOf } from './blend.ts';
import type { Neighbour } from './vector-store.ports.ts';
import { coverageOf, type QueryTerm } from './word-coverage.ts';

/** A chunk that may answer a question, with the reasons. */
export interface Candidate {
  chunkId: string;
  /** Cosine with the message; null while its vector is unavailable. */
  similarity: number | null;
  /** Share of the message's words that it contains, weighted by rarity: 0 to 1. */
  coverage: number;
  /** Those words, as they are indexed. */
  words: string[];
  /** See `Neighbour`; null while its vector is unavailable. */
  nearness: number | null;
  score: number;
  /** What was read of it already; null when that is only what its score needs. */
  passage: Passage | null;
}

/** A chunk as it is shown. */
export interface Passage {
  documentId: string;
  filename: string;
  /** Headings, page, rows or path as text; empty when there are none. */
  place: string;
  content: string;
  chunkIndex: number;
}

interface Search {
  /** Of the question; empty when words do not count. */
  terms: readonly QueryTerm[];
  hasContext: boolean;
  /** By id; null while vectors are unavailable. */
  neighbours: Promise<ReadonlyMap<string, Neighbour> | null>;
  /** Chunks that are probably among the best: their passages are read at once. */
  likely: readonly string[];
}

// By their ids only: `offset 0` keeps the planner from scanning all chunks of the agent, which it estimates as few in a
// generic plan. `strip` makes one copy of the words, which otherwise would be decompressed for each term.
const readContained = {
  name: 'knowledge_words_contained',
  text: `
    select c.id, c.language::text as language, c.document_id as "documentId", d.filename, c.place, c.position as "chunkIndex",
      case when c.id = any ($4::text[]) then c.content end as content,
      array(select t.n::integer - 1 from unnest($3::tsquery[]) with ordinality t (term, n) where c.words @@ t.term) as contained
    from unnest($1::text[]) as asked (id),
      lateral (select *, strip(terms) as words from chunks where id = asked.id offset 0) c,
      lateral (select agent_id, status, filename from documents where id = c.document_id offset 0) d
    where c.agent_id = $2 and d.agent_id = $2 and d.status = 'ready'`,
};

interface Row extends Omit<Passage, 'content'> {
  id: string;
  language: string;
  contained: number[];
  content: string | null;
}

/** Scores those of the chunks that exist and belong to the agent, best first. */
export async function scoreCandidates(
  ctx: Ctx,
  agentId: string,
  chunkIds: readonly string[],
  { terms, hasContext, neighbours, likely }: Search,
): Promise<Candidate[]> {
  const asked = [chunkIds, agentId, terms.map(({ term }) => term), likely];
  const [rows, near] = await Promise.all([chunkIds.length > 0 ? ctx.sql<Row>(readContained, asked) : [], neighbours]);
  const scored = rows.map(({ id, language, contained, content, ...place }): Candidate => {
    const { message, inContext, words } = coverageOf(terms, language, new Set(contained));
    const { similarity = null, nearness = null } = near?.get(id) ?? {};
    const score = scoreOf({ coverages: hasContext ? [message, inContext] : [message], nearness });
    const passage = content === null ? null : { ...place, content };
    return { chunkId: id, similarity, coverage: message, words, nearness, score, passage };
  });
  return scored.toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}
