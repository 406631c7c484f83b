import type { Config } from '../core/config/config.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { notFound } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { callerId } from '../accounts/caller.ts';
import { type ImageKind, type VariantName, variantSizes } from './encoding/variants.ts';
import { Image } from './image.entity.ts';

export const imageColumns = columnsOf(Image, 'i');

export type ImageUrls = Record<VariantName, string | null>;

/** How long an unused image is kept, in milliseconds. */
export const keepUnusedMs = 7 * 86_400_000;

/** Returns the public URLs of an image by variant; null for a size that its kind does not have. */
export function imageUrls({ publicUrl }: Config, { token, kind }: Pick<Image, 'token' | 'kind'>): ImageUrls {
  const urlOf = (name: VariantName): string | null =>
    variantSizes[kind][name] ? `${publicUrl}/images/${token}/${name}.webp` : null;
  return { small: urlOf('small'), medium: urlOf('medium'), large: urlOf('large') };
}

/** Returns the token in the URL of an image of this service; null for any other URL. */
export const tokenIn = ({ publicUrl }: Config, url: string): string | null =>
  url.startsWith(`${publicUrl}/images/`)
    ? (/^([\w-]{22})\/(?:small|medium|large)\.webp$/.exec(url.slice(`${publicUrl}/images/`.length))?.[1] ?? null)
    : null;

/** Returns the URL that is stored where an image is shown. */
export const appliedUrl = (config: Config, image: { token: string; kind: ImageKind }): string =>
  imageUrls(config, image).large ?? '';

const select = `select ${imageColumns} from images i where i.id = $1 and i.owner_id = $2`;
const readImage = { name: 'image_get', text: select };
const lockImage = { name: 'image_lock', text: `${select} for update` };

/** Returns one of the caller's images. @throws AppError `not_found` */
export const getImage = (ctx: Ctx, id: string): Promise<Image> => findOwn(ctx, id, readImage);

/** Returns one of the caller's images and locks its row until the transaction ends. @throws AppError `not_found` */
export const lockOwnImage = (ctx: Ctx, id: string): Promise<Image> => findOwn(ctx, id, lockImage);

async function findOwn(ctx: Ctx, id: string, statement: typeof readImage): Promise<Image> {
  const [image] = isId('img_', id) ? await ctx.sql<Image>(statement, [id, callerId(ctx)]) : [];
  if (!image) throw notFound();
  return image;
}
