import type { Ctx } from '../core/ctx.ts';
import { exportKey } from './data-exports.ts';
import type { PurgeStep } from './purge.ports.ts';

const findExpired = {
  name: 'exports_expired',
  text: `
    select id, user_id as "userId" from data_exports where status = 'ready' and expires_at <= $1
    order by expires_at limit 100`,
};
const markExpired = {
  name: 'export_mark_expired',
  text: `update data_exports set status = 'expired' where id = $1 and status = 'ready'`,
};

/** Deletes the files of exports whose link has ended. Answers how many. */
export async function purgeExpiredExports(ctx: Ctx, signal: AbortSignal): Promise<number> {
  for (let purged = 0; ;) {
    const expired = await ctx.sql<{ id: string; userId: string }>(findExpired, [ctx.clock.now()]);
    for (const { id, userId } of expired) {
      signal.throwIfAborted();
      await ctx.ports.files.delete(exportKey(userId, id));
      await ctx.sql(markExpired, [id]);
      purged++;
    }
    if (expired.length === 0) return purged;
  }
}

/** The archives of an account that goes. */
export const purgeExportFiles: PurgeStep = {
  name: 'export files',
  purge: async (ctx, userId) => ({ export_files: await ctx.ports.files.deletePrefix(`exports/${userId}`) }),
};
