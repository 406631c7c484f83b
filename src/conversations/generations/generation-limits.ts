import { z } from 'zod';

const limitsSchema = z.strictObject({
  /** Largest number of running or waiting replies of an account on all instances. Further ones are rejected. */
  perAccount: z.int().min(1).default(50),
  /** Largest number of replies of an account that an instance writes concurrently. Further ones wait. */
  perAccountAtOnce: z.int().min(1).default(10),
  /** Largest number of replies that an instance writes concurrently. */
  perInstance: z.int().min(1).default(2_000),
});

export type GenerationLimits = z.output<typeof limitsSchema>;

/**
 * Parses `GENERATION_LIMITS` (JSON), which overrides the built-in limits.
 * @throws Error that lists every invalid value
 */
export function parseGenerationLimits(json: string | undefined): GenerationLimits {
  const result = limitsSchema.safeParse(json === undefined ? {} : JSON.parse(json));
  if (result.success) return result.data;
  throw new Error(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '));
}
