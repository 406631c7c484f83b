import type { Readable } from 'node:stream';
import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import { FileMissing } from '../core/files.ports.ts';
import { type VariantName, variantNames } from './encoding/variants.ts';
import type { Image } from './image.entity.ts';
import { variantKey } from './image-files.ts';

/**
 * All images are encoded by this service. In addition, these headers keep browsers from treating them as anything but
 * pictures.
 */
export const imageHeaders = {
  'content-type': 'image/webp',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  'referrer-policy': 'no-referrer',
} as const;

const findByToken = {
  name: 'image_by_token',
  text: `
    select i.id, i.folder from images i join users u on u.id = i.owner_id
    where i.token = $1 and i.status = 'ready' and i.moderation_state <> 'removed' and u.deletion_requested_at is null
      and not exists (select from agents a where a.id = i.agent_id and a.moderation_state = 'removed')`,
};

/**
 * Returns the file of a public URL. Images of an account that is scheduled for deletion are hidden.
 * @throws AppError `not_found`
 */
export async function findPublicImage(
  ctx: Ctx,
  token: string,
  variant: string,
): Promise<{ key: string; etag: string }> {
  const name = variantNames.find((known): known is VariantName => known === variant);
  const [image] =
    name && /^[\w-]{22}$/.test(token) ? await ctx.sql<Pick<Image, 'id' | 'folder'>>(findByToken, [token]) : [];
  if (!name || !image) throw notFound();
  return { key: variantKey(image, name), etag: `"${image.folder ?? ''}-${name}"` };
}

/** Opens a file of an image. @throws AppError `not_found` */
export async function openImageFile(ctx: Ctx, key: string): Promise<Readable> {
  try {
    return await ctx.ports.files.get(key);
  } catch (error) {
    throw error instanceof FileMissing ? notFound() : error;
  }
}
