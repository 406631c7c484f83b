import { z } from 'zod';
import { text } from '../core/text/text-input.ts';
import { defaultVoiceId, voiceIds } from '../agents/voices.ts';

const voiceId = z.enum(voiceIds).nullish();

const spokenText = text({ min: 1, max: 5_000 });

export const synthesizeSpeechInput = z.object({
  text: spokenText,
  voiceId: voiceId.transform((id) => id ?? defaultVoiceId),
});

/** Input for speaking a message. The voice defaults to the agent's. */
export const speakMessageInput = z.object({ voiceId });

/** Maximum size of an uploaded recording in bytes (25 MiB). */
export const maxAudioBytes = 25 * 1_048_576;
