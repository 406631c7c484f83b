import { APIError } from 'openai/error';
import type {
  Transcription,
  TranscriptionCreateParamsNonStreaming,
  TranscriptionVerbose,
} from 'openai/resources/audio/transcriptions';
import { AppError, invalidField } from '../../core/errors.ts';
import type { AudioFormat, ProviderTranscript, Transcriber, TranscriptionRequest } from '../../voice/voice.ports.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { toAppError } from './errors.ts';
import { ProviderError } from './failures.ts';
import { streamFetch } from './stream-fetch.ts';

interface TranscriberOptions extends OpenAiOptions {
  model: string;
  /** Timeout from the end of the upload to the response. */
  answerTimeoutMs: number;
}

/**
 * Creates a transcriber on the transcription endpoint of OpenAI or any compatible provider. The audio is streamed from the
 * client to the provider, so a call cannot be retried.
 */
export function createOpenAiTranscriber(options: TranscriberOptions): Transcriber {
  const client = openAiClient(options, streamFetch);
  return {
    async transcribe(request) {
      const upload = watch(request, options.answerTimeoutMs);
      try {
        const { toStreamingFile } = await import('openai');
        const file = toStreamingFile(upload.audio, `audio.${request.format}`, { type: mediaTypes[request.format] });
        const answer = await (
          await client()
        ).audio.transcriptions.create(
          // The file is the last field, so that the provider receives all other fields first.
          { model: options.model, ...answerForm(options.model), file } as TranscriptionCreateParamsNonStreaming,
          { signal: upload.signal },
        );
        return transcriptOf(answer as Answer);
      } catch (error) {
        throw upload.failure() ?? explain(error);
      } finally {
        upload.end();
      }
    },
  };
}

const mediaTypes: Record<AudioFormat, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  webm: 'audio/webm',
};

/**
 * Returns the request fields that make a model return language and probabilities: Whisper has both in its verbose format,
 * the gpt-4o models return probabilities on request.
 * @see https://developers.openai.com/api/docs/guides/speech-to-text
 */
function answerForm(model: string): Partial<TranscriptionCreateParamsNonStreaming> {
  if (/whisper/i.test(model)) return { response_format: 'verbose_json' };
  if (/^gpt-4o-(mini-)?transcribe(?!-diarize)/.test(model)) return { response_format: 'json', include: ['logprobs'] };
  return { response_format: 'json' };
}

type Answer = Partial<Transcription> & Partial<Pick<TranscriptionVerbose, 'language' | 'segments'>>;

function transcriptOf({ text, language, languages, logprobs, segments }: Answer): ProviderTranscript {
  if (typeof text !== 'string') throw new ProviderError('malformed', { detail: 'transcript' });
  const tokens = listOf(logprobs)?.map(({ logprob }) => ({ value: logprob, weight: 1 }));
  const spoken = listOf(segments)?.filter(
    ({ no_speech_prob, avg_logprob }) => !(no_speech_prob > 0.6 && avg_logprob < -1),
  );
  const detected: unknown = language ?? listOf(languages)?.[0]?.code;
  return {
    text: text.trim(),
    language: typeof detected === 'string' ? detected : null,
    meanLogProbability: mean(
      tokens ?? spoken?.map(({ avg_logprob, tokens: of }) => ({ value: avg_logprob, weight: of?.length || 1 })) ?? [],
    ),
  };
}

/** Returns the objects of a list that the provider may have filled with anything. */
const listOf = <Item extends object>(list: readonly Item[] | null | undefined): readonly Item[] | undefined =>
  Array.isArray(list)
    ? (list as readonly Item[]).filter((item) => typeof item === 'object' && item !== null)
    : undefined;

function mean(items: readonly { value: number | undefined; weight: number }[]): number | null {
  let sum = 0;
  let weights = 0;
  for (const { value, weight } of items) {
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    sum += value * weight;
    weights += weight;
  }
  return weights > 0 ? sum / weights : null;
}

/** Maps a rejected request to the audio field, because everything else in the request is constant. */
function explain(error: unknown): unknown {
  if (error instanceof APIError && (error.status === 400 || error.status === 415 || error.status === 422)) {
    return invalidField(
      'audio',
      'unreadable',
      'audio could not be read: it is damaged, too short or in another format',
    );
  }
  return toAppError(error);
}

/** Starts the timeout at the end of the audio, and records the reason if reading the audio fails. */
function watch({ audio, signal }: TranscriptionRequest, answerTimeoutMs: number) {
  const upstream = new AbortController();
  const abort = () => upstream.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown = null;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* audio;
    } catch (error) {
      failure = error;
      throw error;
    }
    timer = setTimeout(() => {
      failure = new AppError('upstream_timeout');
      upstream.abort();
    }, answerTimeoutMs);
  }
  return {
    audio: watched(),
    signal: upstream.signal,
    failure: () => failure ?? (signal.aborted ? (signal.reason as unknown) : null),
    end: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}
