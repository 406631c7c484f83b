import type { Ctx } from '../../core/ctx.ts';
import { purgeInBatches } from '../../core/database/purge-in-batches.ts';

const purgeTokens = {
  name: 'purge_account_tokens',
  text: `
    delete from account_tokens where hash in (
      select hash from account_tokens where expires_at <= $1 order by expires_at limit $2)
    returning 1`,
};

/** Deletes mailed tokens that have expired. Returns the number of rows. */
export const purgeExpiredTokens = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeTokens, ctx.clock.now(), signal);
