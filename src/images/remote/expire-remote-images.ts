import type { Ctx } from '../../core/ctx.ts';

const batchSize = 200;
const listExpired = {
  name: 'remote_images_expired',
  text: `select id from remote_images where expires_at <= now() order by expires_at limit ${batchSize}`,
};
const remove = {
  name: 'remote_images_remove',
  text: `delete from remote_images where id = any ($1) and expires_at <= now()`,
};

/** Removes copies of external pictures that were fetched a week ago. Returns their number. */
export async function expireRemoteImages(ctx: Ctx, signal: AbortSignal): Promise<number> {
  for (let removed = 0; ;) {
    const expired = await ctx.sql<{ id: string }>(listExpired, []);
    for (const { id } of expired) {
      signal.throwIfAborted();
      await ctx.ports.files.deletePrefix(`remote-images/${id}`);
    }
    await ctx.sql(remove, [expired.map(({ id }) => id)]);
    removed += expired.length;
    if (expired.length < batchSize) return removed;
  }
}
