/** Computes embeddings of texts. */
export interface Embedder {
  /** Identifies the vector space: model and dimensions. Vectors of different spaces are never compared. */
  readonly space: string;
  /** Maximum number of texts in one call. */
  readonly batchSize: number;
  /**
   * Returns a vector of length 1 for each text, in order. Retries transient failures within its own time limit.
   * @throws AppError `rate_limited`, `upstream_error`, `upstream_timeout`; the signal's reason after an abort
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  /** Whether the vectors of texts in other languages than English mean nothing. */
  readonly isEnglishOnly?: boolean;
  /** Computes embeddings for the forms of one interactive question, in one call with a short time limit. */
  embedQuestion(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

declare module '../../core/ctx.ts' {
  interface Ports {
    embedder: Embedder;
  }
}
