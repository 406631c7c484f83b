import type { Ctx } from '../core/ctx.ts';

const findTexts = {
  name: 'chunk_texts',
  text: `select c.id, left(c.content, $2) as text from chunks c join documents d on d.id = c.document_id where c.id = any ($1)`,
};

/** Returns the beginning of each given chunk that still exists. Performs no authorization check. */
export const chunkExcerpts = (
  ctx: Ctx,
  chunkIds: readonly string[],
  maxCharacters: number,
): Promise<{ id: string; text: string }[]> => ctx.sql(findTexts, [chunkIds, maxCharacters]);
