import type { Ctx } from '../../core/ctx.ts';
import { ago, purgeInBatches } from '../../core/database/purge-in-batches.ts';

const keepMs = 7 * 24 * 3_600_000;

const purge = {
  name: 'purge_integration_notices',
  text: `
    delete from integration_notices where (integration_id, chat_id, kind) in (
      select integration_id, chat_id, kind from integration_notices where noticed_at <= $1
      order by noticed_at limit $2)
    returning 1`,
};

/** Deletes notices that may be repeated. Returns the number of rows. */
export const purgeNotices = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purge, ago(ctx, keepMs), signal);
