import type { Ctx } from '../../core/ctx.ts';
import { ago, purgeInBatches } from '../../core/database/purge-in-batches.ts';

const keepMs = 30 * 24 * 3_600_000;

// Ids begin with a timestamp, so the oldest rows are the first ones of the primary key and need no index by age.
const purge = {
  name: 'purge_generations',
  text: `
    delete from generations where (id, user_id) in (
      select id, user_id from (select id, user_id, finished_at from generations order by id limit $2) oldest
      where finished_at <= $1)
    returning 1`,
};

/** Deletes generations that ended more than thirty days ago. The messages are kept. Returns the number of rows. */
export const purgeGenerations = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purge, ago(ctx, keepMs), signal);
