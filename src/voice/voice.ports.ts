/** A provider of speech synthesis. */
export interface SpeechSynthesizer {
  /** Maximum weight of the text in one call. A Latin character weighs 1, any other character 2. */
  readonly maxPartWeight: number;
  /**
   * Returns the text as MP3 while it is generated. Resolves with the first bytes. Aborting `signal` or ending the
   * iteration early cancels the provider's request. Return a Node stream if possible, because it is the fastest to
   * forward.
   * @throws AppError `rate_limited`, `upstream_error`, `upstream_timeout`, also during the iteration
   */
  synthesize(request: SpeechRequest): Promise<AsyncIterable<Uint8Array>>;
}

export interface SpeechRequest {
  text: string;
  /** Name of the voice at the provider. */
  voice: string;
  signal: AbortSignal;
}

/** A provider of transcription. */
export interface Transcriber {
  /**
   * Transcribes a recording.
   * @throws AppError `invalid_request` for audio that the provider cannot read, `rate_limited`, `upstream_error`,
   * `upstream_timeout`
   */
  transcribe(request: TranscriptionRequest): Promise<ProviderTranscript>;
}

export interface TranscriptionRequest {
  /** Read once, from beginning to end. Its errors are rethrown unchanged. */
  audio: AsyncIterable<Uint8Array>;
  format: AudioFormat;
  signal: AbortSignal;
}

export type AudioFormat = 'mp3' | 'wav' | 'ogg' | 'webm';

export interface ProviderTranscript {
  text: string;
  /** Language code or English name, as the provider returns it; null if it returns none. */
  language: string | null;
  /** Mean natural logarithm of the token probabilities; null if the provider returns none or detects only silence. */
  meanLogProbability: number | null;
}

declare module '../core/ctx.ts' {
  interface Ports {
    speech: SpeechSynthesizer;
    transcriber: Transcriber;
  }
}
