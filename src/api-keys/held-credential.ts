import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';

const find = {
  name: 'credential_held',
  text: `
    select 1 from users u
    where u.id = $1 and u.deletion_requested_at is null and (
      exists (select 1 from sessions s where s.id = $2 and s.revoked_at is null and s.expires_at > $4)
      or exists (select 1 from api_keys k where k.id = $3 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $4)))`,
};

/** For what outlives its request: the credential that began it still holds. @throws AppError `unauthenticated` */
export async function requireHeldCredential(ctx: Ctx): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== 'user') throw new AppError('unauthenticated');
  const held = await ctx.sql(find, [actor.userId, actor.sessionId, actor.apiKeyId, ctx.clock.now()]);
  if (held.length === 0) throw new AppError('unauthenticated');
}
