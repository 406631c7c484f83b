import type { ModelProfile } from '../../agents/models.ts';

export interface ChatTurn {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface CompletionRequest {
  /** Settings of the model: its name at the provider, temperature and context size. */
  model: ModelProfile;
  turns: readonly ChatTurn[];
  /** Cancels the call to the provider. */
  signal: AbortSignal;
}

/** How a complete reply ended. */
export interface Completion {
  reason: 'stop' | 'length';
  usage: { inputTokens: number; outputTokens: number };
}

export interface LanguageModel {
  /**
   * Calls `onText` with each non-empty piece of the reply in order, and resolves once the reply is complete.
   * @throws AppError `rate_limited`, `context_length_exceeded`, `upstream_error`, `upstream_timeout`; the signal's
   * reason after an abort; what `onText` throws, which also cancels the call; nothing else
   */
  stream(request: CompletionRequest, onText: (content: string) => void): Promise<Completion>;
}

declare module '../../core/ctx.ts' {
  interface Ports {
    languageModel: LanguageModel;
  }
}
