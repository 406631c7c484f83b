import type { Ctx } from '../../core/ctx.ts';
import { purgeInBatches } from '../../core/database/purge-in-batches.ts';

const keepMs = 7 * 24 * 3_600_000;

const purge = {
  name: 'purge_platform_messages',
  text: `
    delete from platform_messages where seq in (
      select seq from platform_messages
      where created_at <= $1 and state not in ('received', 'replying') order by created_at limit $2)
    returning 1`,
};

/** Deletes messages that ended a week ago: no platform redelivers one after that time. */
export const purgePlatformMessages = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purge, new Date(ctx.clock.now().getTime() - keepMs), signal);
