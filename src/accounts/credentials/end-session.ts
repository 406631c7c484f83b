import type { Ctx } from '../../core/ctx.ts';
import { sha256 } from '../../core/crypto.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { recordAudit } from '../audit.ts';

const endByToken = {
  name: 'session_end_by_refresh_token',
  text: `
    update sessions s set revoked_at = $2 from refresh_tokens t
    where t.hash = $1 and s.id = t.session_id and s.revoked_at is null
    returning s.id, s.user_id as "userId"`,
};

/** Ends the session of a refresh token; a no-op if the token is unknown or its session has ended. */
export async function endSessionOf(ctx: Ctx, refreshToken: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const [session] = await tx.sql<{ id: string; userId: string }>(endByToken, [sha256(refreshToken), tx.clock.now()]);
    if (session) await recordAudit(tx, session.userId, 'logout', session.id);
  });
}
