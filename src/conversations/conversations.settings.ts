import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';
import { parsedBy } from '../core/config/variables.ts';
import { type GenerationLimits, parseGenerationLimits } from './generations/generation-limits.ts';

declare module '../core/config/config.ts' {
  interface Config {
    generationLimits: GenerationLimits;
    /** Length at which a reply is cut off, in UTF-16 code units. */
    maxReplyCharacters: number;
  }
}

export const conversationSettings = defineSettings(
  {
    GENERATION_LIMITS: parsedBy(parseGenerationLimits),
    MAX_REPLY_CHARACTERS: z.coerce.number().int().min(100).max(10_000_000).default(200_000),
  },
  ({ GENERATION_LIMITS, MAX_REPLY_CHARACTERS }) => ({
    generationLimits: GENERATION_LIMITS,
    maxReplyCharacters: MAX_REPLY_CHARACTERS,
  }),
);
