import { z } from 'zod';
import type { Scope } from '../core/actor.ts';
import { name } from '../core/text/text-input.ts';

/** Creates the input schema. `scopes` are the scopes of all features. */
export const createApiKeyInput = (scopes: readonly Scope[]) =>
  z.object({
    name: name({ max: 80 }),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .transform((list) => [...new Set(list)]),
    expiresAt: z.date().nullish(),
  });

/** The overlap is at most one week. */
export const rotateApiKeyInput = z.object({ overlapSeconds: z.int().min(0).max(604_800).default(0) });
