import { LockMode } from '@mikro-orm/core';
import { recordAudit } from '../accounts/audit.ts';
import { callerId } from '../accounts/caller.ts';
import { hasScope, type Plan, type Scope, type UserActor } from '../core/actor.ts';
import { sha256 } from '../core/crypto.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, invalidField, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/transaction.ts';
import { ApiKey } from './api-key.entity.ts';
import { createApiKeyInput, rotateApiKeyInput } from './api-key.input.ts';
import { hintOf, isApiKeySecret, newApiKeySecret } from './api-key-secret.ts';

/** A key and, this once, its full secret. */
interface NewApiKey {
  apiKey: ApiKey;
  key: string;
}

/**
 * A new key and, this once, its full secret. @throws AppError `invalid_request`, `insufficient_scope` when the caller's
 * own key lacks a scope that the new one would have
 */
export async function createApiKey(ctx: Ctx, input: unknown): Promise<NewApiKey> {
  const { name, scopes, expiresAt } = parseInput(createApiKeyInput, input);
  if (expiresAt && expiresAt <= ctx.clock.now())
    throw invalidField('expiresAt', 'too_small', 'expires_at must be in the future');
  requireHeldScopes(ctx, scopes);
  return inTransaction(ctx, async (tx) => {
    const created = await insertKey(tx, { name, scopes, expiresAt: expiresAt ?? null });
    await recordAudit(tx, created.apiKey.userId, 'api_key.created', created.apiKey.id);
    return created;
  });
}

/**
 * A new key in the place of one, which works on for `overlapSeconds`. It has the name and scopes of the old one, and if
 * that expires, as long a life. @throws AppError `invalid_request`, `not_found`, `insufficient_scope`
 */
export async function rotateApiKey(ctx: Ctx, id: string, input: unknown): Promise<NewApiKey> {
  const { overlapSeconds } = parseInput(rotateApiKeyInput, input ?? {});
  if (!isId('apiKey', id)) throw notFound();
  const userId = callerId(ctx);
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const old = await tx.em.findOne(ApiKey, { id, userId, ...working(now) }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!old) throw notFound();
    requireHeldScopes(tx, old.scopes);
    const lifeMs = old.expiresAt ? old.expiresAt.getTime() - old.createdAt.getTime() : null;
    const expiresAt = lifeMs === null ? null : new Date(now.getTime() + lifeMs);
    const created = await insertKey(tx, { name: old.name, scopes: old.scopes, expiresAt });
    const ends = new Date(now.getTime() + overlapSeconds * 1000);
    if (!old.expiresAt || ends < old.expiresAt) old.expiresAt = ends;
    await tx.em.flush();
    await recordAudit(tx, userId, 'api_key.rotated', id);
    return created;
  });
}

async function insertKey(ctx: Ctx, fields: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>): Promise<NewApiKey> {
  const key = newApiKeySecret();
  const apiKey = ctx.em.create(ApiKey, {
    id: newId('apiKey'),
    userId: callerId(ctx),
    ...fields,
    hash: sha256(key),
    keyHint: hintOf(key),
    createdAt: ctx.clock.now(),
    lastUsedAt: null,
    revokedAt: null,
  });
  await ctx.em.persist(apiKey).flush();
  return { apiKey, key };
}

const working = (now: Date) => ({ revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] });

/** The caller's keys that work, newest first. */
export const listApiKeys = (ctx: Ctx): Promise<ApiKey[]> =>
  ctx.em.find(
    ApiKey,
    { userId: callerId(ctx), ...working(ctx.clock.now()) },
    { orderBy: { createdAt: 'desc', id: 'desc' } },
  );

/** Ends a key at once, on every instance. @throws AppError `not_found` */
export async function revokeApiKey(ctx: Ctx, id: string): Promise<{ id: string; revokedAt: Date }> {
  if (!isId('apiKey', id)) throw notFound();
  const revokedAt = ctx.clock.now();
  const userId = callerId(ctx);
  await inTransaction(ctx, async (tx) => {
    const revoked = await tx.em.nativeUpdate(ApiKey, { id, userId, revokedAt: null }, { revokedAt });
    if (revoked === 0) throw notFound();
    await recordAudit(tx, userId, 'api_key.revoked', id);
  });
  return { id, revokedAt };
}

const findKey = {
  name: 'api_key_find',
  text: `
    select k.id, k.user_id as "userId", k.scopes, u.plan, (k.last_used_at is null or k.last_used_at < $2::timestamptz - interval '60 seconds') as stale
    from api_keys k join users u on u.id = k.user_id
    where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2) and u.deletion_requested_at is null`,
};
const touchKey = { name: 'api_key_touch', text: `update api_keys set last_used_at = $2 where id = $1` };

interface KeyRow {
  id: string;
  userId: string;
  scopes: Scope[];
  plan: Plan;
  stale: boolean;
}

/** Who an API key speaks for, as of this moment; `null` when it is unknown, expired or revoked. */
export async function findApiKeyActor(
  ctx: Pick<Ctx, 'sql' | 'clock' | 'log'>,
  secret: string,
  ip: string | null,
): Promise<UserActor | null> {
  if (!isApiKeySecret(secret)) return null;
  const now = ctx.clock.now();
  const [row] = await ctx.sql<KeyRow>(findKey, [sha256(secret), now]);
  if (!row) return null;
  // At most a minute stale is promised, so that a busy key is not written at every request.
  if (row.stale)
    ctx
      .sql(touchKey, [row.id, now])
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'last_used_at was not written'));
  return {
    kind: 'user',
    userId: row.userId,
    plan: row.plan,
    scopes: row.scopes,
    sessionId: null,
    apiKeyId: row.id,
    ip,
  };
}

function requireHeldScopes(ctx: Ctx, wanted: readonly Scope[]): void {
  if (ctx.actor.kind !== 'user' || ctx.actor.apiKeyId === null) return;
  const held = ctx.actor.scopes;
  const lacking = wanted.filter((scope) => !hasScope(held, scope));
  if (lacking.length > 0) {
    throw new AppError('insufficient_scope', {
      message: `A key can't give a scope that it lacks: ${lacking.join(', ')}.`,
    });
  }
}
