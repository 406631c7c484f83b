import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';

declare module '../core/config/config.ts' {
  interface Config {
    moderation: {
      model: string;
      /** Ids of the users who are moderators. */
      moderators: readonly string[];
      /** Whether published content waits for a moderator (`before`) or is reviewed later (`after`). */
      review: 'before' | 'after';
      /** Names that no slug may use. An agent with a similar name gets a case. */
      protectedNames: readonly string[];
    };
  }
}

/** Parses a comma-separated list. */
const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );
const userIds = list.refine(
  (ids) => ids.every((id) => /^usr_[0-9a-f-]{36}$/.test(id)),
  'must be user IDs such as usr_…',
);

export const moderationSettings = defineSettings(
  {
    MODERATION_MODEL: z.string().trim().min(1).max(200).default('omni-moderation-latest'),
    MODERATORS: userIds,
    MARKETPLACE_REVIEW: z.enum(['before', 'after']).default('after'),
    PROTECTED_NAMES: list,
  },
  (vars) => ({
    moderation: {
      model: vars.MODERATION_MODEL,
      moderators: vars.MODERATORS,
      review: vars.MARKETPLACE_REVIEW,
      protectedNames: vars.PROTECTED_NAMES,
    },
  }),
);
