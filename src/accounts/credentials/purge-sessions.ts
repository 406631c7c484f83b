import type { Ctx } from '../../core/ctx.ts';
import { purgeInBatches } from '../../core/database/purge-in-batches.ts';

const purgeTokens = {
  name: 'purge_refresh_tokens',
  text: `
    delete from refresh_tokens where hash in (
      select hash from refresh_tokens where expires_at <= $1 order by expires_at limit $2)
    returning 1`,
};
const purgeSessions = {
  name: 'purge_sessions',
  text: `
    delete from sessions where id in (select id from sessions where expires_at <= $1 order by expires_at limit $2)
    returning 1`,
};

/**
 * Deletes expired refresh tokens and sessions, including revoked ones. A used token is kept until then, so that its
 * reuse is detected as theft. Returns the number of rows.
 */
export async function purgeExpiredSessions(ctx: Ctx, signal: AbortSignal): Promise<number> {
  const tokens = await purgeInBatches(ctx, purgeTokens, ctx.clock.now(), signal);
  return tokens + (await purgeInBatches(ctx, purgeSessions, ctx.clock.now(), signal));
}
