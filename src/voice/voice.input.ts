import { z } from 'zod';
import { text } from '../core/input.ts';
import { defaultVoiceId, voiceIds } from '../core/voices.ts';

const voiceId = z.enum(voiceIds).nullish();

const spokenText = text({ min: 1, max: 5_000 }).superRefine((value, ctx) => {
  if (value && !value.trim())
    ctx.addIssue({ code: 'custom', message: 'must not be blank', params: { code: 'required' } });
});

export const synthesizeSpeechInput = z.object({
  text: spokenText,
  voiceId: voiceId.transform((id) => id ?? defaultVoiceId),
});

/** Without a voice the agent's own is taken. */
export const speakMessageInput = z.object({ voiceId });

/** Of an uploaded recording: 25 MB. */
export const maxAudioBytes = 25 * 1_048_576;
