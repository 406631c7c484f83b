/** Generates pictures from a description. */
export interface ImageGenerator {
  /**
   * Returns one picture in PNG, JPEG or WebP.
   * @throws AppError `rate_limited`, `upstream_error`, `upstream_timeout`; ImageRefused; the signal's reason after an
   * abort
   */
  generate(request: ImageRequest): Promise<Buffer>;
}

export interface ImageRequest {
  prompt: string;
  /** Size in pixels, with a ratio of 1:1 or 3:1. A provider with fixed sizes may return a less wide picture. */
  width: number;
  height: number;
  /** Identifies the user to the provider without naming them. */
  safetyIdentifier: string;
  signal: AbortSignal;
}

/** Thrown when the provider rejects the description. */
export class ImageRefused extends Error {}

declare module '../core/ctx.ts' {
  interface Ports {
    imageGenerator: ImageGenerator;
  }
}
