/** Turns texts into vectors. */
export interface Embedder {
  /** Model and dimensions: names the space in which the vectors lie. Vectors of two spaces are never compared. */
  readonly space: string;
  /** Texts in one call, at most. */
  readonly batchSize: number;
  /**
   * A vector of length 1 for each text, in their order. Tries again, within its own time limit, what can succeed later.
   * @throws AppError `rate_limited`, `upstream_error`, `upstream_timeout`; the signal's reason after an abort
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  /** Like `embed` for one question that somebody waits for: it gives up soon. */
  embedQuestion(text: string, signal?: AbortSignal): Promise<Float32Array>;
}

declare module '../core/ctx.ts' {
  interface Ports {
    embedder: Embedder;
  }
}
