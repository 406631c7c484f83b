import { rowExpiry } from '../../core/database/purge-in-batches.ts';

const keepMs = 7 * 24 * 3_600_000;

/** Removes notices after a week, so that they may be repeated. */
export const noticeExpiry = rowExpiry({
  name: 'notices',
  keepMs,
  statement: {
    name: 'purge_integration_notices',
    text: `
      delete from integration_notices where (integration_id, chat_id, kind) in (
        select integration_id, chat_id, kind from integration_notices where noticed_at <= $1
        order by noticed_at limit $2)
      returning 1`,
  },
});
