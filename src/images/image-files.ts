import { Readable } from 'node:stream';
import type { Ctx } from '../core/ctx.ts';
import type { EncodedImage } from './encoding/encoder.ports.ts';
import { type VariantName, variantNames } from './encoding/variants.ts';
import type { Image } from './image.entity.ts';

const folderOf = (imageId: string): string => `images/${imageId}`;

/**
 * Returns the key of a variant. Each attempt writes to its own folder, so a late attempt does not change files that are
 * being served.
 */
export const variantKey = ({ id, folder }: Pick<Image, 'id' | 'folder'>, name: VariantName): string =>
  `${folderOf(id)}/${folder ?? ''}/${name}.webp`;

/** Returns the key of the provider's original, which only generated images have. */
export const originalKey = ({ id, folder }: Pick<Image, 'id' | 'folder'>): string =>
  `${folderOf(id)}/${folder ?? ''}/original`;

/** Returns the size of the files that `storeImageFiles` stores. */
export const sizeOfFiles = ({ variants }: EncodedImage, original: Buffer | null = null): number =>
  variantNames.reduce((sum, name) => sum + (variants[name]?.length ?? 0), original?.length ?? 0);

/** Stores the variants, and the provider's original of a generated image. */
export async function storeImageFiles(
  ctx: Ctx,
  image: Pick<Image, 'id' | 'folder'>,
  { variants }: EncodedImage,
  original: Buffer | null = null,
): Promise<void> {
  const put = (key: string, bytes: Buffer) => ctx.ports.files.put(key, Readable.from([bytes], { objectMode: false }));
  const stored = await Promise.allSettled([
    ...variantNames.map(async (name) => variants[name] && put(variantKey(image, name), variants[name])),
    original && put(originalKey(image), original),
  ]);
  // All writes have settled, so a caller that removes the files leaves none behind.
  for (const one of stored) if (one.status === 'rejected') throw one.reason;
}

/** Removes the files of one attempt. */
export const removeAttempt = (ctx: Ctx, { id, folder }: Pick<Image, 'id' | 'folder'>): Promise<number> =>
  ctx.ports.files.deletePrefix(`${folderOf(id)}/${folder ?? ''}`);

/** Removes all files of an image. Idempotent. */
export const removeImageFiles = (ctx: Ctx, imageId: string): Promise<number> =>
  ctx.ports.files.deletePrefix(folderOf(imageId));
