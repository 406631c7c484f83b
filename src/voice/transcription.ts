import type { Ctx } from '../core/ctx.ts';
import { AppError, invalidField } from '../core/errors.ts';
import { detectAudio } from './audio-format.ts';
import { languageCode, languageOfText } from './languages.ts';
import type { ProviderTranscript } from './voice.ports.ts';

export interface Transcript {
  text: string;
  /** Confidence from 0 to 1; 0 for silence and if the provider returns no probabilities. */
  confidence: number;
  /** ISO 639-1 code, or `und` if the language is unknown. */
  language: string;
}

/**
 * Transcribes a recording (MP3, WAV, Ogg or WebM, detected from its bytes) as it arrives. Aborting `signal` cancels the
 * provider's request.
 * @throws AppError `invalid_request` for an empty or unreadable recording, `unsupported_media_type`, `rate_limited`,
 * `upstream_error`, `upstream_timeout`
 */
export async function transcribeAudio(
  ctx: Ctx,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Transcript> {
  const { format, isEmpty, audio } = await detectAudio(source);
  if (isEmpty) throw invalidField('audio', 'empty', 'audio must not be empty');
  if (!format) {
    throw new AppError('unsupported_media_type', {
      message:
        'The audio must be MP3, WAV, Ogg or WebM. The format is detected from the content, not from the file name.',
    });
  }
  const transcript = await ctx.ports.transcriber.transcribe({ audio, format, signal });
  return {
    text: transcript.text,
    confidence: confidenceOf(transcript),
    language: await languageOf(transcript),
  };
}

const confidenceOf = ({ text, meanLogProbability }: ProviderTranscript): number =>
  text === '' || meanLogProbability === null ? 0 : Math.min(1, Math.exp(meanLogProbability));

async function languageOf({ text, language }: ProviderTranscript): Promise<string> {
  const named = language === null ? null : languageCode(language);
  return named ?? (text === '' ? null : await languageOfText(text)) ?? 'und';
}
