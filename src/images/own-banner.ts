import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { invalidField } from '../core/errors.ts';
import { tokenIn } from './image.ts';

const keep = {
  name: 'image_keep_banner',
  text: `
    update images set expires_at = null
    where token = $1 and owner_id = $2 and kind = 'banner' and status = 'ready' and moderation_state <> 'removed' returning id`,
};

/**
 * Keeps one of the caller's banners, because a banner that is shown does not expire. Returns its id.
 * @throws AppError `invalid_request`
 */
export async function keepOwnBanner(tx: Ctx, url: string): Promise<string> {
  const token = tokenIn(tx.config, url);
  const [image] = token === null ? [] : await tx.sql<{ id: string }>(keep, [token, callerId(tx)]);
  if (image) return image.id;
  throw invalidField('bannerUrl', 'not_own_image', 'banner_url must be the address of one of your banners');
}
