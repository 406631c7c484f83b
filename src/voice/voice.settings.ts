import { z } from 'zod';
import { defineSettings } from '../core/config/settings.ts';
import { key, url } from '../core/config/variables.ts';

declare module '../core/config/config.ts' {
  interface Config {
    voice: {
      speechModel: string;
      transcriptionModel: string;
      /** Separate provider for speech; null to use the general provider. */
      speechProvider: { baseUrl: string; apiKey: string } | null;
    };
  }
}

const model = z.string().trim().min(1).max(200);

export const voiceSettings = defineSettings(
  {
    SPEECH_MODEL: model.default('gpt-4o-mini-tts'),
    SPEECH_BASE_URL: url('http:', 'https:').optional(),
    SPEECH_API_KEY: key.optional(),
    TRANSCRIPTION_MODEL: model.default('whisper-1'),
  },
  (vars) => ({
    voice: {
      speechModel: vars.SPEECH_MODEL,
      transcriptionModel: vars.TRANSCRIPTION_MODEL,
      // The general provider's API key must not be sent to another provider.
      speechProvider: vars.SPEECH_BASE_URL
        ? { baseUrl: vars.SPEECH_BASE_URL, apiKey: vars.SPEECH_API_KEY ?? 'none' }
        : null,
    },
  }),
);
