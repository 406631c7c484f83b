import type { Ctx } from '../../core/ctx.ts';
import { scoreOf } from './blend.ts';
import type { ChunkLocation } from '../processing/chunk-document.ts';
import type { Neighbour } from './vector-store.ports.ts';
import { coverageBy, type CoverageQuery, type Frequency } from './word-coverage.ts';

/** A chunk that may answer a question, with its scores. */
export interface Candidate {
  chunkId: string;
  /** Cosine similarity with the message; null while its vector is unavailable. */
  similarity: number | null;
  /** Share of the message's words that the chunk contains, weighted by rarity: 0 to 1. */
  coverage: number;
  /** Words of the message that the chunk contains, in their indexed form. */
  words: string[];
  /** See `Neighbour`; null while its vector is unavailable. */
  nearness: number | null;
  score: number;
  /** Whether the chunk contains a number, date, identifier or name of the message that few chunks contain. */
  isCertain: boolean;
  /** Content if it has been read already; null when only the data for the score was read. */
  passage: Passage | null;
}

/** A chunk as it is shown. */
export interface Passage {
  documentId: string;
  filename: string;
  /** Headings, page, rows or path as text; empty when the format has none. */
  place: string;
  content: string;
  chunkIndex: number;
  /** Null for chunks that an earlier release made. */
  location: ChunkLocation | null;
}

// Selects by id only. `offset 0` keeps the planner from scanning all chunks of the agent, whose number a generic plan
// underestimates. `setweight` makes one copy of the lexemes, which would otherwise be decompressed for each term.
const readContained = {
  name: 'knowledge_words_contained',
  text: `
    select c.id, c.language::text as language, c.document_id as "documentId", d.filename, c.place, c.position as "chunkIndex", c.location,
      case when c.id = any ($4::text[]) then c.content end as content,
      array(select t.n::integer - 1 from unnest($3::tsquery[]) with ordinality t (term, n) where c.words @@ t.term) as contained
    from unnest($1::text[]) as asked (id),
      lateral (select *, setweight(terms, 'D') as words from chunks where id = asked.id offset 0) c,
      lateral (select agent_id, status, filename from documents where id = c.document_id offset 0) d
    where c.agent_id = $2 and d.agent_id = $2 and d.status = 'ready'`,
};

/** The data of a chunk that scoring needs. */
interface ChunkRow extends Omit<Passage, 'content'> {
  id: string;
  language: string;
  /** Positions of the queries that find the chunk. */
  contained: number[];
  content: string | null;
}

/** Reads rows of chunks as soon as they are likely to be needed, each once. */
interface ChunkReader {
  /** Starts reading. @param chunkIds best first: the first ones are read with their contents */
  begin: (chunkIds: readonly string[]) => void;
  /** Returns the rows of those chunks that exist. */
  rows(chunkIds: readonly string[]): Promise<ChunkRow[]>;
}

/** Creates a reader of chunks. @param withContent number of chunks of each group that are read with their contents */
export function readChunks(
  ctx: Ctx,
  agentId: string,
  queries: () => Promise<readonly string[]>,
  withContent: number,
): ChunkReader {
  const reads = new Map<string, Promise<ChunkRow[]>>();
  const begin = (chunkIds: readonly string[]): void => {
    const unread = chunkIds.filter((id) => !reads.has(id));
    if (unread.length === 0) return;
    const reading = queries().then((asked) =>
      ctx.sql<ChunkRow>(readContained, [unread, agentId, asked, unread.slice(0, withContent)]),
    );
    // Avoids an unhandled rejection: the error is thrown where the promise is awaited.
    reading.catch(() => undefined);
    for (const id of unread) reads.set(id, reading);
  };
  return {
    begin,
    rows: async (chunkIds) => {
      begin(chunkIds);
      const asked = new Set(chunkIds);
      const groups = await Promise.all(new Set(chunkIds.flatMap((id) => reads.get(id) ?? [])));
      return groups.flat().filter(({ id }) => asked.has(id));
    },
  };
}

interface Search {
  /** Words of the question; null when words do not count. */
  query: CoverageQuery | null;
  /** By the queries for the forms of words. */
  frequencies: ReadonlyMap<string, Frequency>;
  hasContext: boolean;
  /** Neighbours by chunk id; null while vectors are unavailable. */
  neighbours: ReadonlyMap<string, Neighbour> | null;
}

/** Scores the chunks, best first. */
export function scoreCandidates(
  rows: readonly ChunkRow[],
  { query, frequencies, hasContext, neighbours }: Search,
): Candidate[] {
  const present = new Set(rows.flatMap(({ contained }) => contained));
  const coverageOf = coverageBy(query ?? { words: [], pairs: [], queries: [] }, frequencies, present);
  const scored = rows.map(({ id, language, contained, content, ...location }): Candidate => {
    const { message, inContext, words, isCertain } = coverageOf(language, new Set(contained));
    const { similarity = null, nearness = null } = neighbours?.get(id) ?? {};
    const score = scoreOf({ coverages: hasContext ? [message, inContext] : [message], nearness });
    const passage = content === null ? null : { ...location, content };
    return { chunkId: id, similarity, coverage: message, words, nearness, score, isCertain, passage };
  });
  return scored.toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}
