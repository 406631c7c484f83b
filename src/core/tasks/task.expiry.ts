import { beforeNow } from '../database/database-time.ts';
import { rowExpiry } from '../database/purge-in-batches.ts';

const keepMs = 30 * 24 * 3_600_000;

/** Removes permanently failed tasks after thirty days. */
export const failedTaskExpiry = rowExpiry({
  name: 'failedTasks',
  statement: {
    name: 'purge_tasks',
    text: `
      delete from tasks where id in (
        select id from tasks where state = 'failed' and finished_at <= ${beforeNow(keepMs)} order by finished_at limit $1)
      returning 1`,
  },
});
