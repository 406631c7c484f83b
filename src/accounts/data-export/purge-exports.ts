import type { Ctx } from '../../core/ctx.ts';
import { rowExpiry } from '../../core/database/purge-in-batches.ts';
import type { PurgeStep } from '../../core/feature.ts';
import { DataExport } from './data-export.entity.ts';
import { exportKey } from './data-exports.ts';

const batchSize = 100;
const keepRowsMs = 30 * 24 * 3_600_000;

/** Removes the files of exports whose link has expired. Returns their number. */
export async function removeExpiredExports(ctx: Ctx, signal: AbortSignal): Promise<number> {
  for (let removed = 0; ;) {
    const expired = await ctx.em.find(
      DataExport,
      { status: 'ready', expiresAt: { $lte: ctx.clock.now() } },
      { orderBy: { expiresAt: 'asc' }, limit: batchSize, disableIdentityMap: true },
    );
    for (const dataExport of expired) {
      signal.throwIfAborted();
      await removeExport(ctx, dataExport);
      removed++;
    }
    if (expired.length < batchSize) return removed;
  }
}

/** Removes the earlier archives that `latest` replaces. */
export async function removeEarlierExports(ctx: Ctx, { id, userId }: { id: string; userId: string }): Promise<void> {
  const earlier = { userId, status: 'ready', id: { $ne: id } } as const;
  for (const dataExport of await ctx.em.find(DataExport, earlier, { disableIdentityMap: true }))
    await removeExport(ctx, dataExport);
}

async function removeExport(ctx: Ctx, { id, userId }: DataExport): Promise<void> {
  await ctx.ports.files.delete(exportKey(userId, id));
  await ctx.em.nativeUpdate(DataExport, { id, status: 'ready' }, { status: 'expired' });
}

/** Removes rows of expired or failed exports after a month. */
export const exportExpiry = rowExpiry({
  name: 'exports',
  keepMs: keepRowsMs,
  statement: {
    name: 'purge_data_exports',
    text: `
      delete from data_exports where id in (
        select id from data_exports where status in ('expired', 'failed') and completed_at <= $1
        order by completed_at limit $2)
      returning 1`,
  },
});

/** Removes the archives of an account that is purged. */
export const purgeExportFiles: PurgeStep = {
  name: 'export files',
  purge: async (ctx, userId) => ({ export_files: await ctx.ports.files.deletePrefix(`exports/${userId}`) }),
};
