import type { ImageKind, VariantName } from './variants.ts';

/** Decodes untrusted images and re-encodes them in a separate process. */
export interface ImageEncoder {
  /** Starts the process in advance, because that takes a moment and a picture will follow soon. */
  prepare(): void;
  /**
   * Returns the variants of a picture. `read` is called when its turn comes, so that waiting pictures use no memory.
   * @throws ImageFailure when the picture is not usable, AppError `unavailable` when too many are waiting
   */
  encode(request: EncodeRequest): Promise<EncodedImage>;
  stop(): void;
}

export interface EncodeRequest {
  /** Returns the picture, or the path of its file, which is then read only in the other process. */
  read: () => Promise<Buffer | string>;
  kind: ImageKind;
  /** Whether to mark each variant as machine-generated. */
  isGenerated: boolean;
  /** Smallest allowed length of the shorter edge, in pixels. */
  minEdge?: number;
  /** The only variant to create. When omitted, all variants of the kind are created. */
  only?: VariantName;
}

export interface EncodedImage {
  variants: Partial<Record<VariantName, Buffer>>;
  /** Data URI of at most 300 bytes. */
  placeholder: string;
}

export type ImageFailureCode = 'unreadable' | 'too_small' | 'too_large';

/** Thrown when the picture cannot be used. */
export class ImageFailure extends Error {
  readonly code: ImageFailureCode;

  constructor(code: ImageFailureCode) {
    super(code);
    this.code = code;
  }
}

declare module '../../core/ctx.ts' {
  interface Ports {
    imageEncoder: ImageEncoder;
  }
}
