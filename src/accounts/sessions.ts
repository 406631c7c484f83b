import { type Plan, scopes, type UserActor } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { signAccessToken, verifyAccessToken } from './access-tokens.ts';
import { Session } from './session.entity.ts';

/** A new session row and the access token for it. Call it inside a transaction, so that both or neither exist. */
export async function startSession(ctx: Ctx, userId: string, lifetimeSeconds: number, userAgent: string | null) {
  const now = ctx.clock.now();
  const session = ctx.em.create(Session, {
    id: newId('session'),
    userId,
    ip: ctx.actor.kind === 'system' ? null : ctx.actor.ip,
    userAgent: userAgent?.slice(0, 500) ?? null,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
    revokedAt: null,
  });
  await ctx.em.persist(session).flush();
  return { session, accessToken: await signAccessToken(ctx.config.authKeys, ctx.clock, userId, session.id) };
}

const findSession = {
  name: 'session_find',
  text: `
    select s.user_id as "userId", u.plan
    from sessions s join users u on u.id = s.user_id
    where s.id = $1 and s.user_id = $2 and s.revoked_at is null and s.expires_at > $3 and u.deletion_requested_at is null`,
};

/** Who an access token speaks for; `null` when it is not valid or its session has ended, as of this moment. */
export async function findAccessTokenActor(
  ctx: Pick<Ctx, 'sql' | 'clock' | 'config'>,
  token: string,
  ip: string | null,
): Promise<UserActor | null> {
  const claims = await verifyAccessToken(ctx.config.authKeys, ctx.clock, token);
  if (!claims) return null;
  const [row] = await ctx.sql<{ userId: string; plan: Plan }>(findSession, [
    claims.sessionId,
    claims.userId,
    ctx.clock.now(),
  ]);
  if (!row) return null;
  return { kind: 'user', userId: row.userId, plan: row.plan, scopes, sessionId: claims.sessionId, apiKeyId: null, ip };
}

/** Ends the caller's session: its access and refresh tokens stop working at once. @throws AppError `invalid_request` with an API key */
export async function logout(ctx: Ctx): Promise<void> {
  const sessionId = ctx.actor.kind === 'user' ? ctx.actor.sessionId : null;
  if (!sessionId) {
    throw new AppError('invalid_request', { message: 'An API key has no session to end. Revoke the key instead.' });
  }
  await ctx.em.nativeUpdate(Session, { id: sessionId, revokedAt: null }, { revokedAt: ctx.clock.now() });
}
