/** Makes speech. */
export interface SpeechSynthesizer {
  /** Longest text of one call: a Latin character weighs one, any other two. */
  readonly maxPartWeight: number;
  /**
   * The text as MP3, as it is made; settles with the first of it. Aborting `signal`, or
   * leaving the iteration, ends the provider's work. A stream of Node is passed on fastest.
   * Both the promise and the iteration reject with an AppError: `rate_limited`, `upstream_error`, `upstream_timeout`.
   */
  synthesize(request: SpeechRequest): Promise<AsyncIterable<Uint8Array>>;
}

export interface SpeechRequest {
  text: string;
  /** The provider's name of the voice. */
  voice: string;
  signal: AbortSignal;
}

/** Reads speech. */
export interface Transcriber {
  /** @throws AppError `invalid_request` for audio that the provider can't read, `rate_limited`, `upstream_error`, `upstream_timeout` */
  transcribe(request: TranscriptionRequest): Promise<ProviderTranscript>;
}

export interface TranscriptionRequest {
  /** Read once, from beginning to end; its failure is rethrown as it is. */
  audio: AsyncIterable<Uint8Array>;
  format: AudioFormat;
  signal: AbortSignal;
}

export type AudioFormat = 'mp3' | 'wav' | 'ogg' | 'webm';

export interface ProviderTranscript {
  text: string;
  /** A code or an English name, as the provider says it; null when it does not say. */
  language: string | null;
  /** Natural logarithm, averaged over the tokens; null when the provider gives none or heard only silence. */
  meanLogProbability: number | null;
}

declare module '../core/ctx.ts' {
  interface Ports {
    speech: SpeechSynthesizer;
    transcriber: Transcriber;
  }
}
