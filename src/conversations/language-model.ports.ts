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

/** How a reply that is whole ended. */
export interface Completion {
  reason: 'stop' | 'length';
  usage: { inputTokens: number; outputTokens: number };
}

/** Writes replies. */
export interface LanguageModel {
  /**
   * Gives each piece of the reply to `onText` as it comes, in order, none empty, and answers once it is whole.
   * @throws AppError `rate_limited`, `context_length_exceeded`, `upstream_error`, `upstream_timeout`; the signal's
   * reason after an abort; what `onText` throws, which ends the provider's work too; nothing else
   */
  stream(request: CompletionRequest, onText: (content: string) => void): Promise<Completion>;
}

declare module '../core/ctx.ts' {
  interface Ports {
    languageModel: LanguageModel;
  }
}
