import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';

declare module '../core/config/config.ts' {
  interface Config {
    images: { model: string; timeoutMs: number };
  }
}

export const imageSettings = defineSettings(
  {
    IMAGE_MODEL: z.string().trim().min(1).max(200).default('gpt-image-2.5-flare'),
    IMAGE_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(600).default(120),
  },
  (vars) => ({ images: { model: vars.IMAGE_MODEL, timeoutMs: vars.IMAGE_TIMEOUT_SECONDS * 1_000 } }),
);
