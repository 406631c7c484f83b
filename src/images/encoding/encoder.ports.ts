import type { ImageKind, VariantName } from './variants.ts';

/** Decodes untrusted images and re-encodes them in a separate process. */
export interface ImageEncoder {
  /** Starts the process, which takes a moment: a picture is about to come. */
  prepare(): void;
  /**
   * Returns the variants of a picture. `read` is called when it is its turn, so that what waits takes no memory.
   * @throws ImageFailure when the picture is at fault, AppError `unavailable` when too many wait
   */
  encode(request: EncodeRequest): Promise<EncodedImage>;
  stop(): void;
}

export interface EncodeRequest {
  /** Returns the picture, or the path of its file, which is then read in the other process only. */
  read: () => Promise<Buffer | string>;
  kind: ImageKind;
  /** Writes into each variant that a machine made it. */
  isGenerated: boolean;
  /** Of the shorter edge, in pixels. */
  minEdge?: number;
  /** The only variant that is wanted, instead of all of the kind. */
  only?: VariantName;
}

export interface EncodedImage {
  variants: Partial<Record<VariantName, Buffer>>;
  /** A data URI of at most 300 bytes. */
  placeholder: string;
}

export type ImageFailureCode = 'unreadable' | 'too_small' | 'too_large';

/** The picture cannot be used. */
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
