import { z } from 'zod';
import { text } from '../core/input.ts';
import { orDefault, pageInput } from '../core/pagination.ts';
import { passagesPerMessage } from './retrieval/retrieve.ts';

export const listDocumentsInput = pageInput();

export const listChunksInput = pageInput().extend({ q: text({ max: 200 }).nullish() });

export const queryKnowledgeInput = z.object({
  query: text({ max: 2_000 }).refine((value) => value.trim() !== '', {
    message: 'must not be empty',
    params: { code: 'required' },
  } as never),
  limit: orDefault(z.int().min(1).max(50), passagesPerMessage),
});
