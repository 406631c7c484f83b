import type { ModelProfile } from '../core/models.ts';

export interface ChatTurn {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface CompletionRequest {
  /** Provider's model name, temperature and context size come from configuration. */
  model: ModelProfile;
  turns: readonly ChatTurn[];
  /** Ends the provider's work at once. */
  signal: AbortSignal;
}

export type CompletionEvent =
  | { type: 'delta'; content: string }
  | { type: 'finish'; reason: 'stop' | 'length'; usage: { inputTokens: number; outputTokens: number } };

/** Writes replies. */
export interface LanguageModel {
  /**
   * Deltas in order, then exactly one `finish`; a reply that ends without it has thrown. Leaving the loop early ends
   * the provider's work too.
   * @throws AppError `rate_limited`, `context_length_exceeded`, `upstream_error`, `upstream_timeout`; the signal's
   * reason after an abort; nothing else
   */
  stream(request: CompletionRequest): AsyncIterable<CompletionEvent>;
}

declare module '../core/ctx.ts' {
  interface Ports {
    languageModel: LanguageModel;
  }
}
