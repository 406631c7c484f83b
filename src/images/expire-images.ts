import type { Ctx } from '../core/ctx.ts';

const batchSize = 500;

// An image can also be shown by its URL alone. Such an image is kept and no longer expires.
const isShown = `exists (
    select from agents a where a.owner_id = i.owner_id and a.deleted_at is null and position('/images/' || i.token || '/' in a.avatar_url) > 0)
  or exists (select from users u where u.id = i.owner_id and position('/images/' || i.token || '/' in u.avatar_url) > 0)`;
const expire = {
  name: 'images_expire',
  text: `
    with due as materialized (
      select i.id, ${isShown} as shown from images i where i.expires_at <= $1 order by i.expires_at limit ${batchSize}
      for update of i skip locked
    ), kept as (
      update images set expires_at = null from due where images.id = due.id and due.shown
    ), gone as (
      delete from images using due where images.id = due.id and not due.shown returning images.id
    )
    select count(*) filter (where not shown) as gone, count(*) as seen from due`,
};

/** Removes images that were not used for a week, and failed ones. Returns their number. */
export async function expireImages(ctx: Ctx, signal: AbortSignal): Promise<number> {
  for (let removed = 0; ;) {
    signal.throwIfAborted();
    const [batch] = await ctx.sql<{ gone: number; seen: number }>(expire, [ctx.clock.now()]);
    removed += batch?.gone ?? 0;
    if ((batch?.seen ?? 0) < batchSize) return removed;
  }
}
