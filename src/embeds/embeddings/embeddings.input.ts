import { z } from 'zod';
import { characters } from '../../core/text/text-input.ts';

const one = characters({ min: 1, max: 32_000 });

/** Input rules that apply to every model. */
export const embeddingsRules = z.object({
  input: z.union([one, z.array(one).min(1).max(256)]),
  model: z.string().nullish(),
  dimensions: z.int().min(1).nullish(),
  encodingFormat: z.enum(['float', 'base64']).nullish(),
});

/** Returns the input schema for the configured model. */
export const embeddingsInput = (embedding: { model: string; dimensions: number }) =>
  embeddingsRules
    .extend({
      model: z.literal(embedding.model).nullish(),
      dimensions: z.int().min(1).max(embedding.dimensions).nullish(),
    })
    .transform(({ input, dimensions, encodingFormat }) => ({
      texts: Array.isArray(input) ? input : [input],
      dimensions: dimensions ?? embedding.dimensions,
      encoding: encodingFormat ?? ('float' as const),
    }));
