import { z } from 'zod';

const limitsSchema = z.strictObject({
  /** Replies of one account under way or waiting, on all instances together; more are refused. */
  perAccount: z.int().min(1).default(50),
  /** Replies of one account that an instance writes at once; the others wait their turn. */
  perAccountAtOnce: z.int().min(1).default(10),
  /** Replies that an instance writes at once. */
  perInstance: z.int().min(1).default(2_000),
});

export type GenerationLimits = z.output<typeof limitsSchema>;

/** The built-in limits with those of `GENERATION_LIMITS` (JSON) over them. @throws Error naming what is wrong */
export function parseGenerationLimits(json: string | undefined): GenerationLimits {
  const result = limitsSchema.safeParse(json === undefined ? {} : JSON.parse(json));
  if (result.success) return result.data;
  throw new Error(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '));
}
