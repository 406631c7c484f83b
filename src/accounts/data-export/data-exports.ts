import type { Ctx } from '../../core/ctx.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { isId, newId } from '../../core/ids.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { recordAudit } from '../audit.ts';
import { callerId } from '../caller.ts';
import { lockPlan } from '../plan.ts';
import { User } from '../user.entity.ts';
import { DataExport } from './data-export.entity.ts';
import { isExportLink } from './export-links.ts';

const exportIntervalMs = 24 * 3_600_000;

/** Returns the key of an export's file. It is in the user's folder, which is removed with the account. */
export const exportKey = (userId: string, exportId: string): string => `exports/${userId}/${exportId}.zip`;

/**
 * Requests an archive of the caller's data, and mails a link to it when it is ready. Returns the export that is in
 * progress, if there is one, instead of a new one.
 * @throws AppError `rate_limited` within a day of the last export that did not fail
 */
export async function requestDataExport(ctx: Ctx): Promise<DataExport> {
  const userId = callerId(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockPlan(tx, userId);
    const last = await tx.em.findOne(
      DataExport,
      { userId, status: { $ne: 'failed' } },
      { orderBy: { requestedAt: 'desc' } },
    );
    if (last?.status === 'processing') return last;
    const now = tx.clock.now();
    const waitMs = last ? last.requestedAt.getTime() + exportIntervalMs - now.getTime() : 0;
    if (waitMs > 0) {
      const message = 'Your data was exported within the last 24 hours. Use that export, or try again later.';
      throw new AppError('rate_limited', { message, retryAfterSeconds: Math.ceil(waitMs / 1000) });
    }
    return insertExport(tx, userId, now);
  });
}

async function insertExport(tx: Ctx, userId: string, requestedAt: Date): Promise<DataExport> {
  const dataExport = tx.em.create(DataExport, {
    id: newId('exp_'),
    userId,
    status: 'processing',
    requestedAt,
    sizeBytes: null,
    completedAt: null,
    expiresAt: null,
  });
  await tx.em.persist(dataExport).flush();
  await enqueueTask(tx, 'account.export', { exportId: dataExport.id });
  await recordAudit(tx, userId, 'export.requested', dataExport.id);
  return dataExport;
}

/** Returns one of the caller's exports. @throws AppError `not_found` */
export async function getDataExport(ctx: Ctx, id: string): Promise<DataExport> {
  const found = isId('exp_', id) ? await ctx.em.findOne(DataExport, { id, userId: callerId(ctx) }) : null;
  if (!found) throw notFound();
  // The job that removes the file runs only hourly, so the link may have expired before that.
  if (found.status === 'ready' && found.expiresAt && found.expiresAt <= ctx.clock.now()) found.status = 'expired';
  return found;
}

/**
 * Returns the file of a mailed link.
 * @throws AppError `not_found` when the link is forged or expired, or the account is deleted
 */
export async function openDataExport(ctx: Ctx, id: string, token: string): Promise<{ key: string; sizeBytes: number }> {
  if (!isExportLink(ctx.config.authKeys, id, token)) throw notFound();
  const ready = await ctx.em.findOne(DataExport, { id, status: 'ready', expiresAt: { $gt: ctx.clock.now() } });
  const owner = ready && (await ctx.em.findOne(User, { id: ready.userId, deletionRequestedAt: null }));
  if (!ready || !owner || ready.sizeBytes === null) throw notFound();
  await recordAudit(ctx, ready.userId, 'export.downloaded', id);
  return { key: exportKey(ready.userId, id), sizeBytes: ready.sizeBytes };
}
