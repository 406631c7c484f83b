import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';

// Plain SQL, because every open stream runs it repeatedly.
const findValid = {
  name: 'credential_valid',
  text: `
    select 1 from users u
    where u.id = $1 and u.deletion_requested_at is null and (
      exists (select 1 from sessions s where s.id = $2 and s.revoked_at is null and s.expires_at > $4)
      or exists (select 1 from api_keys k
        where k.id = $3 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $4)))`,
};

/** Checks that the credential of a long-lived request is still valid. @throws AppError `unauthenticated` */
export async function requireValidCredential(ctx: Ctx): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== 'user') throw new AppError('unauthenticated');
  const valid = await ctx.sql(findValid, [actor.userId, actor.sessionId, actor.apiKeyId, ctx.clock.now()]);
  if (valid.length === 0) throw new AppError('unauthenticated');
}
