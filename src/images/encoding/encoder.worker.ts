import { open } from 'node:fs/promises';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import type { EncodedImage, ImageFailureCode } from './encoder.ports.ts';
import { headBytes, imageFormatOf } from './image-format.ts';
import { maxPixels } from './image-limits.ts';
import { machineMadeXmp } from './machine-made.ts';
import { type ImageKind, largestSize, type Size, type VariantName, variantSizes } from './variants.ts';

/** A request of the parent process. */
export interface EncodeMessage {
  id: number;
  source: Uint8Array | string;
  kind: ImageKind;
  isGenerated: boolean;
  minEdge: number;
  only?: VariantName;
}
export type EncodeAnswer = { id: number } & ({ image: EncodedImage } | { failure: ImageFailureCode });

/** This process decodes user uploads, so a malicious file can end only this process. */
sharp.cache(false);
sharp.concurrency(1);
// Only the four formats can be read: no other decoder of the library is reachable.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});

const decoding: SharpOptions = { limitInputPixels: maxPixels, failOn: 'error', pages: 1, sequentialRead: true };
const quality = { large: 80, medium: 82, small: 84 } as const;
/** Level 4 takes three times as long; it makes drawings a fifth smaller, but not photographs. */
const effort = 1;
/** Looks like lanczos3, is cheaper, and results in smaller files. */
const kernel = 'cubic';
const placeholderEdge = 16;

class Refusal extends Error {
  readonly code: ImageFailureCode;
  constructor(code: ImageFailureCode) {
    super(code);
    this.code = code;
  }
}

async function encode({ source, kind, isGenerated, minEdge, only }: EncodeMessage): Promise<EncodedImage> {
  const input = typeof source === 'string' ? source : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  await requireUsable(input, minEdge);
  const sizes = Object.entries(variantSizes[kind]).filter(([name]) => only === undefined || name === only);
  const { width, height } = (only && variantSizes[kind][only]) ?? largestSize[kind];
  const { data, info } = await sharp(input, decoding)
    .autoOrient()
    .resize(width, height, { fit: 'cover', position: 'centre', kernel })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const scaled = (size: Size): Sharp => sharp(data, { raw }).resize({ ...size, kernel });
  const variant = async ([name, size]: [string, Size]): Promise<[string, Buffer]> => {
    const encoded = scaled(size).webp({ quality: quality[name as VariantName], effort });
    return [name, await (isGenerated ? encoded.withXmp(machineMadeXmp) : encoded).toBuffer()];
  };
  const small = { width: placeholderEdge, height: Math.max(1, Math.round((placeholderEdge * height) / width)) };
  // Concurrently: the largest variant takes as long as all others, and the second CPU is often idle.
  const [placeholder, ...variants] = await Promise.all([
    scaled(small).removeAlpha().webp({ quality: 20, effort: 4 }).toBuffer(),
    ...sizes.map(variant),
  ]);
  return {
    variants: Object.fromEntries(variants),
    placeholder: `data:image/webp;base64,${placeholder.toString('base64')}`,
  };
}

/** Checks a picture by its header. */
async function requireUsable(input: Buffer | string, minEdge: number): Promise<void> {
  // The pixel limit is checked here, so that it has its own error.
  const { format, width, height } = await sharp(input, { ...decoding, limitInputPixels: false }).metadata();
  if (format !== imageFormatOf(typeof input === 'string' ? await headOf(input) : input))
    throw new Refusal('unreadable');
  if (width * height > maxPixels) throw new Refusal('too_large');
  if (Math.min(width, height) < minEdge) throw new Refusal('too_small');
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    return (await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)).buffer;
  } finally {
    await file.close();
  }
}

process.on('message', (message: EncodeMessage) => {
  const { id } = message;
  encode(message).then(
    (image) => process.send?.({ id, image } satisfies EncodeAnswer),
    (error: unknown) =>
      process.send?.({ id, failure: error instanceof Refusal ? error.code : 'unreadable' } satisfies EncodeAnswer),
  );
});
process.on('disconnect', () => process.exit());
