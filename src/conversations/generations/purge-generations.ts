import type { Ctx } from '../../core/ctx.ts';
import { ago, purgeInBatches } from '../../core/database/purge-in-batches.ts';

const keepMs = 30 * 24 * 3_600_000;

// Ids begin with the time, so the oldest rows are the first of the primary key, without an index of their age.
const purge = {
  name: 'purge_generations',
  text: `
    delete from generations where id in (
      select id from (select id, finished_at from generations order by id limit $2) oldest where finished_at <= $1)
    returning 1`,
};

/** Deletes attempts to reply that are more than a month old; the messages stay. Returns the number of rows. */
export const purgeGenerations = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purge, ago(ctx, keepMs), signal);
