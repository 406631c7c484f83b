import type { Plan, UserActor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { isId, newId } from '../../core/ids.ts';
import { inTransaction, sendSql } from '../../core/database/transaction.ts';
import { signAccessToken, verifyAccessToken } from './access-tokens.ts';
import { recordAudit } from '../audit.ts';
import { callerId } from '../caller.ts';
import { Session } from './session.entity.ts';

const insertSession = {
  name: 'session_insert',
  text: `
    insert into sessions (id, user_id, ip, user_agent, created_at, last_used_at, expires_at)
    values ($1, $2, $3, $4, $5, $5, $6)`,
};

const maxUserAgentLength = 500;

/**
 * Creates a session and returns its id and an access token. Call it in a transaction: the statement is sent with the
 * commit.
 */
export async function startSession(tx: Ctx, userId: string, lifetimeSeconds: number, userAgent: string | null) {
  const sessionId = newId('ses_');
  const now = tx.clock.now();
  const accessToken = await signAccessToken(tx.config.authKeys, { userId, sessionId, issuedAt: now });
  const ip = tx.actor.kind === 'system' ? null : tx.actor.ip;
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000);
  const shownAgent = userAgent?.slice(0, maxUserAgentLength) ?? null;
  await sendSql(tx, insertSession, [sessionId, userId, ip, shownAgent, now, expiresAt]);
  return { sessionId, accessToken };
}

// Plain SQL, because every request runs it.
const findSession = {
  name: 'session_find',
  text: `
    select u.plan from sessions s join users u on u.id = s.user_id
    where s.id = $1 and s.user_id = $2 and s.revoked_at is null and s.expires_at > $3 and u.deletion_requested_at is null`,
};

/** Returns the user of an access token; null when the token is not valid or its session was revoked. */
export async function findAccessTokenActor(
  ctx: Pick<Ctx, 'sql' | 'clock' | 'config' | 'catalog'>,
  token: string,
  ip: string | null,
): Promise<UserActor | null> {
  const claims = await verifyAccessToken(ctx.config.authKeys, ctx.clock, token);
  if (!claims) return null;
  const { sessionId, userId } = claims;
  const [row] = await ctx.sql<{ plan: Plan }>(findSession, [sessionId, userId, ctx.clock.now()]);
  if (!row) return null;
  return { kind: 'user', userId, plan: row.plan, scopes: ctx.catalog.scopes, sessionId, apiKeyId: null, ip };
}

/**
 * Revokes the caller's session with its access and refresh tokens.
 * @throws AppError `invalid_request` for an API key
 */
export async function logout(ctx: Ctx): Promise<void> {
  const sessionId = ctx.actor.kind === 'user' ? ctx.actor.sessionId : null;
  if (!sessionId) {
    throw new AppError('invalid_request', { message: 'An API key has no session. Revoke the key instead.' });
  }
  await inTransaction(ctx, async (tx) => {
    await tx.em.nativeUpdate(Session, { id: sessionId, revokedAt: null }, { revokedAt: tx.clock.now() });
    await recordAudit(tx, callerId(tx), 'logout', sessionId);
  });
}

/** Lists the caller's valid sessions, most recently used first. */
export const listSessions = (ctx: Ctx): Promise<Session[]> =>
  ctx.em.find(
    Session,
    { userId: callerId(ctx), revokedAt: null, expiresAt: { $gt: ctx.clock.now() } },
    { orderBy: { lastUsedAt: 'desc', id: 'desc' } },
  );

/** Revokes one of the caller's sessions. @throws AppError `not_found` */
export async function revokeSession(ctx: Ctx, id: string): Promise<{ id: string; revokedAt: Date }> {
  if (!isId('ses_', id)) throw notFound();
  const revokedAt = ctx.clock.now();
  const userId = callerId(ctx);
  await inTransaction(ctx, async (tx) => {
    const valid = { id, userId, revokedAt: null, expiresAt: { $gt: revokedAt } };
    if ((await tx.em.nativeUpdate(Session, valid, { revokedAt })) === 0) throw notFound();
    await recordAudit(tx, userId, 'session.revoked', id);
  });
  return { id, revokedAt };
}

/** Revokes the sessions of a user, except `except`. Call it in the transaction of the change that requires it. */
export async function revokeSessions(ctx: Ctx, userId: string, except: string | null = null): Promise<void> {
  const others = except === null ? {} : { id: { $ne: except } };
  await ctx.em.nativeUpdate(Session, { userId, revokedAt: null, ...others }, { revokedAt: ctx.clock.now() });
}
