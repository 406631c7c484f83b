/** Classifies content that others may see or that a model is asked to generate. */
export interface ContentCheck {
  /**
   * Classifies content.
   * @throws AppError `unavailable` when the check cannot be made
   */
  check(content: CheckedContent, signal: AbortSignal): Promise<ContentVerdict>;
}

export type CheckedContent = { text: string } | { image: Uint8Array; mediaType: 'image/webp' | 'image/png' };

export interface ContentVerdict {
  flagged: boolean;
  /** Categories that were flagged, such as `violence` or `sexual/minors`. */
  categories: readonly string[];
}

declare module '../core/ctx.ts' {
  interface Ports {
    contentCheck: ContentCheck;
  }
}
