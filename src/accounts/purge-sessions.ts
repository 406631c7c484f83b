import type { Ctx } from '../core/ctx.ts';
import { purgeInBatches } from '../core/purge.ts';

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
 * Forgets refresh tokens and sessions that ran out, revoked ones too. A spent token stays until then, so that its reuse
 * is still seen as a theft. Answers how many rows went.
 */
export async function purgeExpiredSessions(ctx: Ctx, signal: AbortSignal): Promise<number> {
  const now = ctx.clock.now();
  return (
    (await purgeInBatches(ctx, purgeTokens, now, signal)) + (await purgeInBatches(ctx, purgeSessions, now, signal))
  );
}
