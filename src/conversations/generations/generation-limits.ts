import { z } from 'zod';

const limitsSchema = z.strictObject({
  /** Replies of one account that run or wait, on all instances; more are refused. */
  perAccount: z.int().min(1).default(50),
  /** Replies of one account that an instance writes at once; others wait. */
  perAccountAtOnce: z.int().min(1).default(10),
  /** Replies that an instance writes at once. */
  perInstance: z.int().min(1).default(2_000),
});

export type GenerationLimits = z.output<typeof limitsSchema>;

/** Parses `GENERATION_LIMITS` (JSON) over the built-in limits. @throws Error naming what is wrong */
export function parseGenerationLimits(json: string | undefined): GenerationLimits {
  const result = limitsSchema.safeParse(json === undefined ? {} : JSON.parse(json));
  if (result.success) return result.data;
  throw new Error(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '));
}
