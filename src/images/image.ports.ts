/** Makes pictures from a description. */
export interface ImageGenerator {
  /**
   * Returns one picture in PNG, JPEG or WebP.
   * @throws AppError `rate_limited`, `upstream_error`, `upstream_timeout`; ImageRefused; the signal's reason after an abort
   */
  generate(request: ImageRequest): Promise<Buffer>;
}

export interface ImageRequest {
  prompt: string;
  /** In pixels, at a ratio of 1:1 or 3:1. A provider with fixed sizes may return a less wide one. */
  width: number;
  height: number;
  /** Identifies the person to the provider without naming them. */
  safetyIdentifier: string;
  signal: AbortSignal;
}

/** The provider does not make a picture of this description. */
export class ImageRefused extends Error {}

declare module '../core/ctx.ts' {
  interface Ports {
    imageGenerator: ImageGenerator;
  }
}
