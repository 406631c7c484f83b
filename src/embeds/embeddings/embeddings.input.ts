import { z } from 'zod';
import { largestToken } from '../../core/tokens.ts';
import { characters } from '../../core/text/text-input.ts';

const one = characters({ min: 1, max: 32_000 });

/** Largest number of tokens in one text, which is the limit of common models. */
export const maxTokensPerText = 8_191;
const maxTexts = 256;

const isToken = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= largestToken;

/** A text as tokens of cl100k_base, as LangChain sends it. Checked as a whole: one fault for thousands of tokens. */
const tokens = z
  .array(z.number())
  .min(1)
  .max(maxTokensPerText)
  .refine((list) => list.every(isToken), {
    error: `must be tokens of cl100k_base: whole numbers from 0 to ${largestToken.toLocaleString('en-US')}`,
    params: { code: 'invalid_token' },
  });

/** Input rules that apply to every model. */
export const embeddingsRules = z.object({
  input: z.union([one, z.array(one).min(1).max(maxTexts), tokens, z.array(tokens).min(1).max(maxTexts)]),
  model: z.string().nullish(),
  dimensions: z.int().min(1).nullish(),
  encodingFormat: z.enum(['float', 'base64']).nullish(),
});

/** A text, or its tokens. */
export type EmbeddingItem = string | readonly number[];

/** Returns the input schema for the configured model. */
export const embeddingsInput = (embedding: { model: string; dimensions: number }) =>
  embeddingsRules
    .extend({
      model: z.literal(embedding.model).nullish(),
      dimensions: z.int().min(1).max(embedding.dimensions).nullish(),
    })
    .transform(({ input, dimensions, encodingFormat }) => ({
      items: itemsOf(input),
      dimensions: dimensions ?? embedding.dimensions,
      encoding: encodingFormat ?? ('float' as const),
    }));

function itemsOf(input: string | string[] | number[] | number[][]): EmbeddingItem[] {
  if (typeof input === 'string') return [input];
  return typeof input[0] === 'number' ? [input as number[]] : (input as string[] | number[][]);
}
