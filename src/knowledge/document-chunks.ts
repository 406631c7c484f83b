import type { Ctx } from '../core/ctx.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { countTokens } from '../core/tokens.ts';
import { getDocument } from './documents.ts';
import type { ChunkLocation, NumberRange } from './processing/chunk-document.ts';
import { listChunksInput } from './knowledge.input.ts';

/** A chunk of a document, as shown to the document's owner. */
export interface ListedChunk {
  id: string;
  /** Position in the document, starting at 0. */
  chunkIndex: number;
  /** Location in the document as text: headings, pages, rows or paths. */
  place: string;
  content: string;
  tokens: number;
  /** Length of the beginning that repeats what precedes it: an overlap or the header of a table, in UTF-16 units. */
  overlap: number;
  pages?: NumberRange;
  rows?: NumberRange;
  lines?: NumberRange;
}

interface Row extends Omit<ListedChunk, 'tokens' | 'overlap'> {
  location: ChunkLocation | null;
}

// Until the document is ready, its chunks may be incomplete or left over from another attempt.
const ofDocument = `
  chunks c where c.document_id = $1 and exists (select from documents d where d.id = $1 and d.status = 'ready')`;
const containing = `${ofDocument} and position(lower($2) in lower(c.content)) > 0`;
const columns = 'c.id, c.position as "chunkIndex", c.place, c.content, c.location';
const key = { column: 'c.position', kind: 'integer', of: (row: Row) => row.chunkIndex, ascends: true } as const;

const listAll = orderedList<Row>({ name: 'chunks_list', columns, from: ofDocument, valueCount: 1, key });
const listFound = orderedList<Row>({ name: 'chunks_find', columns, from: containing, valueCount: 2, key });
const countAll = { name: 'chunks_count', text: `select count(*) as total from ${ofDocument}` };
const countFound = { name: 'chunks_find_count', text: `select count(*) as total from ${containing}` };

/**
 * Lists the chunks of a document of one of the caller's agents, in document order; `q` filters by content, ignoring
 * case. Empty until the document is ready.
 * @throws AppError `not_found`, `invalid_request`
 */
export async function listChunks(ctx: Ctx, agentId: string, docId: string, input: unknown): Promise<Page<ListedChunk>> {
  const { q, ...request } = parseInput(listChunksInput, input);
  await getDocument(ctx, agentId, docId);
  const [list, count, values] = q ? [listFound, countFound, [docId, q]] : [listAll, countAll, [docId]];
  const page = await withTotal(ctx, readSlice(ctx, list, values, request), request, count, values);
  const before = await chunksBefore(ctx, docId, page.data);
  const toListed = ({ location, ...chunk }: Row): ListedChunk => ({
    ...chunk,
    ...location,
    tokens: countTokens(chunk.content),
    overlap: location?.repeated ?? overlapOf(before.get(chunk.chunkIndex - 1) ?? '', chunk.content),
  });
  return { ...page, data: page.data.map(toListed) };
}

const readContents = {
  name: 'chunks_contents',
  text: `select position, content from chunks where document_id = $1 and position = any ($2::integer[])`,
};

/**
 * Returns the contents of the chunks before those of a page that have no location, by position. Read after the page,
 * because a join would read a chunk for every one that the page skips.
 */
async function chunksBefore(ctx: Ctx, docId: string, page: readonly Row[]): Promise<Map<number, string>> {
  const positions = page.filter(({ location }) => location === null).map(({ chunkIndex }) => chunkIndex - 1);
  if (positions.length === 0) return new Map();
  const rows = await ctx.sql<{ position: number; content: string }>(readContents, [docId, positions]);
  return new Map(rows.map(({ position, content }) => [position, content]));
}

/** Upper bound for the overlap of two consecutive chunks, in UTF-16 units. */
const maxOverlap = 4_000;

/**
 * Returns the length of the longest suffix of `before` that is a prefix of `after`. Uses the prefix function, so it
 * runs in linear time.
 */
export function overlapOf(before: string, after: string): number {
  const text = `${after.slice(0, maxOverlap)}\0${before.slice(-maxOverlap)}`;
  const borders = new Int32Array(text.length);
  for (let i = 1; i < text.length; i++) {
    let length = borders[i - 1] ?? 0;
    while (length > 0 && text[i] !== text[length]) length = borders[length - 1] ?? 0;
    borders[i] = text[i] === text[length] ? length + 1 : length;
  }
  return borders.at(-1) ?? 0;
}
