import type { Readable } from 'node:stream';
import type { Config } from '../core/config/config.ts';
import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import { viewCasePicture } from '../moderation/cases.ts';
import type { Image } from './image.entity.ts';
import { tokenIn } from './image.ts';
import { variantKey } from './image-files.ts';
import { openImageFile } from './public-image.ts';

const find = {
  name: 'image_of_case',
  text: `select i.id, i.folder from images i where i.token = $1 and i.status = 'ready'`,
};

/**
 * Opens the picture of a case's subject for moderators, also when it is no longer public. Every access is recorded in the
 * audit log. @throws AppError `not_found`, also for a picture that this service does not store
 */
export async function openCasePicture(ctx: Ctx, type: string, id: string): Promise<Readable> {
  const url = await viewCasePicture(ctx, type, id);
  const token = url === null ? null : tokenIn(ctx.config, url);
  const [image] = token === null ? [] : await ctx.sql<Pick<Image, 'id' | 'folder'>>(find, [token]);
  if (!image) throw notFound();
  return openImageFile(ctx, variantKey(image, 'large'));
}

/** The URL under which moderators read the picture of a case; null for a picture that this service does not store. */
export const casePictureUrl = (config: Config, type: string, id: string, imageUrl: string | null): string | null =>
  imageUrl !== null && tokenIn(config, imageUrl) !== null
    ? `${config.publicUrl}/v1/moderation/cases/${type}/${encodeURIComponent(id)}/picture`
    : null;
