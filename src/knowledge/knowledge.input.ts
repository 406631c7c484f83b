import { z } from 'zod';
import { characters, text } from '../core/text/text-input.ts';
import { orDefault, pageInput } from '../core/pagination.ts';
import { passagesPerMessage } from './retrieval/retrieve.ts';

export const listDocumentsInput = pageInput();

export const listChunksInput = pageInput().extend({ q: characters({ max: 200 }).nullish() });

export const queryKnowledgeInput = z.object({
  query: text({ min: 1, max: 2_000 }),
  limit: orDefault(z.int().min(1).max(50), passagesPerMessage),
});
