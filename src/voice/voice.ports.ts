/** Synthesizes speech. */
export interface SpeechSynthesizer {
  /** Longest text of one call: a Latin character weighs one, any other two. */
  readonly maxPartWeight: number;
  /**
   * Returns the text as MP3 while it is generated; resolves with the first bytes. Aborting `signal`, or leaving the
   * iteration, aborts the provider's work. A Node stream is the fastest to pass on.
   * Both the promise and the iteration reject with an AppError: `rate_limited`, `upstream_error`, `upstream_timeout`.
   */
  synthesize(request: SpeechRequest): Promise<AsyncIterable<Uint8Array>>;
}

export interface SpeechRequest {
  text: string;
  /** Name of the voice at the provider. */
  voice: string;
  signal: AbortSignal;
}

/** Transcribes speech. */
export interface Transcriber {
  /** @throws AppError `invalid_request` for audio that the provider can't read, `rate_limited`, `upstream_error`, `upstream_timeout` */
  transcribe(request: TranscriptionRequest): Promise<ProviderTranscript>;
}

export interface TranscriptionRequest {
  /** Read once, from beginning to end; its failure is rethrown unchanged. */
  audio: AsyncIterable<Uint8Array>;
  format: AudioFormat;
  signal: AbortSignal;
}

export type AudioFormat = 'mp3' | 'wav' | 'ogg' | 'webm';

export interface ProviderTranscript {
  text: string;
  /** A code or an English name, as the provider returns it; null when it returns none. */
  language: string | null;
  /** Natural logarithm, averaged over the tokens; null when the provider returns none or detects only silence. */
  meanLogProbability: number | null;
}

declare module '../core/ctx.ts' {
  interface Ports {
    speech: SpeechSynthesizer;
    transcriber: Transcriber;
  }
}
