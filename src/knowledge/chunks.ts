import type { Ctx } from '../core/ctx.ts';

export interface ChunkExcerpt {
  id: string;
  /** Headings, pages or rows; empty if the document has none. */
  place: string;
  text: string;
}

const findTexts = {
  name: 'chunk_texts',
  text: `select c.id, c.place, left(c.content, $2) as text from chunks c join documents d on d.id = c.document_id where c.id = any ($1)`,
};

/** Returns the place and the beginning of each given chunk that still exists. Performs no authorization check. */
export const chunkExcerpts = (ctx: Ctx, chunkIds: readonly string[], maxCharacters: number): Promise<ChunkExcerpt[]> =>
  ctx.sql(findTexts, [chunkIds, maxCharacters]);
