import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';

declare module '../core/config/config.ts' {
  interface Config {
    moderation: { model: string };
  }
}

export const moderationSettings = defineSettings(
  { MODERATION_MODEL: z.string().trim().min(1).max(200).default('omni-moderation-latest') },
  (vars) => ({ moderation: { model: vars.MODERATION_MODEL } }),
);
