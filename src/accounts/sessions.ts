import { type Plan, scopes, type UserActor } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { inTransaction, sendSql } from '../core/transaction.ts';
import { signAccessToken, verifyAccessToken } from './access-tokens.ts';
import { recordAudit } from './audit.ts';
import { callerId } from './caller.ts';
import { Session } from './session.entity.ts';

const insertSession = {
  name: 'session_insert',
  text: `
    insert into sessions (id, user_id, ip, user_agent, created_at, last_used_at, expires_at)
    values ($1, $2, $3, $4, $5, $5, $6)`,
};

/** A new session row and the access token for it. Call it inside a transaction, whose commit it travels with. */
export async function startSession(ctx: Ctx, userId: string, lifetimeSeconds: number, userAgent: string | null) {
  const sessionId = newId('session');
  const accessToken = await signAccessToken(ctx.config.authKeys, ctx.clock, userId, sessionId);
  const ip = ctx.actor.kind === 'system' ? null : ctx.actor.ip;
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000);
  await sendSql(ctx, insertSession, [sessionId, userId, ip, userAgent?.slice(0, 500) ?? null, now, expiresAt]);
  return { sessionId, accessToken };
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
  await inTransaction(ctx, async (tx) => {
    await tx.em.nativeUpdate(Session, { id: sessionId, revokedAt: null }, { revokedAt: tx.clock.now() });
    await recordAudit(tx, callerId(tx), 'logout', sessionId);
  });
}

/** The caller's sessions that are open, the last used first. */
export const listSessions = (ctx: Ctx): Promise<Session[]> =>
  ctx.em.find(
    Session,
    { userId: callerId(ctx), revokedAt: null, expiresAt: { $gt: ctx.clock.now() } },
    { orderBy: { lastUsedAt: 'desc', id: 'desc' } },
  );

/** Ends one of the caller's sessions, on every instance at once. @throws AppError `not_found` */
export async function revokeSession(ctx: Ctx, id: string): Promise<{ id: string; revokedAt: Date }> {
  if (!isId('session', id)) throw notFound();
  const revokedAt = ctx.clock.now();
  const userId = callerId(ctx);
  await inTransaction(ctx, async (tx) => {
    const open = { id, userId, revokedAt: null, expiresAt: { $gt: revokedAt } };
    if ((await tx.em.nativeUpdate(Session, open, { revokedAt })) === 0) throw notFound();
    await recordAudit(tx, userId, 'session.revoked', id);
  });
  return { id, revokedAt };
}

/** Ends the sessions of a user, all but `except`. Call it in the transaction of its cause. */
export async function endSessions(ctx: Ctx, userId: string, except: string | null = null): Promise<void> {
  const others = except === null ? {} : { id: { $ne: except } };
  await ctx.em.nativeUpdate(Session, { userId, revokedAt: null, ...others }, { revokedAt: ctx.clock.now() });
}
