import { z } from 'zod';
import { text } from '../core/text/text-input.ts';
import { defaultVoiceId, voiceIds } from '../agents/voices.ts';

const voiceId = z.enum(voiceIds).nullish();

/** Largest number of characters that one request may speak. */
export const maxTextLength = 5_000;
const spokenText = text({ min: 1, max: maxTextLength });

export const synthesizeSpeechInput = z.object({
  text: spokenText,
  voiceId: voiceId.transform((id) => id ?? defaultVoiceId),
});

/** Input for speaking a message. The voice defaults to the agent's. */
export const speakMessageInput = z.object({ voiceId });

/** Maximum size of an uploaded recording in bytes (25 MiB). */
export const maxAudioBytes = 25 * 1_048_576;
