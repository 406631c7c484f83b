import type { ModelProfile } from '../../agents/models.ts';
import { AppError } from '../../core/errors.ts';

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
   * Calls `onText` with each non-empty piece of the reply in order, without what the model thinks, and resolves once the
   * reply is complete.
   * @throws AppError `rate_limited`, `context_length_exceeded`, `upstream_error`, `upstream_timeout`, with the wait that
   * the provider requests; EmptyReply; the signal's reason after an abort; what `onText` throws, which also cancels the
   * call; nothing else
   */
  stream(request: CompletionRequest, onText: (content: string) => void): Promise<Completion>;
  /** Number of failed calls in this process, by the kind of the failure. */
  readonly failures: ReadonlyMap<string, number>;
  /** Kind of the failure of the newest call; null when it succeeded or there was none. */
  readonly lastFailure: string | null;
}

/** Thrown for a complete reply without any text. `cause` explains why. */
export class EmptyReply extends AppError {
  constructor(cause: AppError) {
    super(cause.code, { message: cause.message, cause });
  }
}

declare module '../../core/ctx.ts' {
  interface Ports {
    languageModel: LanguageModel;
  }
}
