import { defineSettings } from '../core/config/settings.ts';
import { parsedBy } from '../core/config/variables.ts';
import { type ModelTable, parseModels } from './models.ts';
import { parseVoices, type VoiceTable } from './voices.ts';

declare module '../core/config/config.ts' {
  interface Config {
    models: ModelTable;
    voices: VoiceTable;
  }
}

export const agentSettings = defineSettings(
  { MODELS: parsedBy(parseModels), VOICES: parsedBy(parseVoices) },
  ({ MODELS, VOICES }) => ({ models: MODELS, voices: VOICES }),
);
