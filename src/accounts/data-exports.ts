import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { enqueueTask } from '../core/tasks.ts';
import { inTransaction } from '../core/transaction.ts';
import { recordAudit } from './audit.ts';
import { callerId } from './caller.ts';
import { isExportLink } from './export-links.ts';

export const exportTask = 'account.export';

export const exportStatuses = ['processing', 'ready', 'failed', 'expired'] as const;
type ExportStatus = (typeof exportStatuses)[number];

/** All that the service has of an account, as a ZIP in the file store. */
export interface DataExport {
  id: string;
  status: ExportStatus;
  sizeBytes: number | null;
  requestedAt: Date;
  completedAt: Date | null;
  /** When the mailed link and the file end. */
  expiresAt: Date | null;
}

/** Under the user's own folder, which goes as a whole when the account goes. */
export const exportKey = (userId: string, exportId: string): string => `exports/${userId}/${exportId}.zip`;

const columns = `
  id, case when status = 'ready' and expires_at <= $2 then 'expired' else status end as status,
  size_bytes as "sizeBytes", requested_at as "requestedAt", completed_at as "completedAt", expires_at as "expiresAt"`;
const lockUser = { name: 'export_lock_user', text: `select from users where id = $1 for no key update` };
const findRunning = {
  name: 'export_running',
  text: `select ${columns} from data_exports where user_id = $1 and status = 'processing'`,
};
const insert = {
  name: 'export_insert',
  text: `insert into data_exports (id, user_id, status, requested_at) values ($1, $2, 'processing', $3)`,
};

/** Has the caller's data collected and the link mailed. While one is being made, it is that one. */
export async function requestDataExport(ctx: Ctx): Promise<DataExport> {
  const userId = callerId(ctx);
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    await tx.sql(lockUser, [userId]);
    const [running] = await tx.sql<DataExport>(findRunning, [userId, now]);
    if (running) return running;
    const id = newId('export');
    await tx.sql(insert, [id, userId, now]);
    await enqueueTask(tx, exportTask, { exportId: id });
    await recordAudit(tx, userId, 'export.requested', id);
    return { id, status: 'processing', sizeBytes: null, requestedAt: now, completedAt: null, expiresAt: null };
  });
}

const findOwn = { name: 'export_find_own', text: `select ${columns} from data_exports where user_id = $1 and id = $3` };

/** The state of one of the caller's exports. @throws AppError `not_found` */
export async function getDataExport(ctx: Ctx, id: string): Promise<DataExport> {
  const [found] = isId('export', id) ? await ctx.sql<DataExport>(findOwn, [callerId(ctx), ctx.clock.now(), id]) : [];
  if (!found) throw notFound();
  return found;
}

const findReady = {
  name: 'export_find_ready',
  text: `
    select e.user_id as "userId", e.size_bytes as "sizeBytes" from data_exports e join users u on u.id = e.user_id
    where e.id = $1 and e.status = 'ready' and e.expires_at > $2 and u.deletion_requested_at is null`,
};

/** The file behind a mailed link. @throws AppError `not_found` for a link that is forged, has ended or has lost its account */
export async function openDataExport(ctx: Ctx, id: string, token: string): Promise<{ key: string; sizeBytes: number }> {
  const now = ctx.clock.now();
  if (!isExportLink(ctx.config.authKeys, id, token, now)) throw notFound();
  const [found] = await ctx.sql<{ userId: string; sizeBytes: number }>(findReady, [id, now]);
  if (!found) throw notFound();
  await recordAudit(ctx, found.userId, 'export.downloaded', id);
  return { key: exportKey(found.userId, id), sizeBytes: found.sizeBytes };
}
