import { callerId } from '../accounts/accounts.ts';
import { hasScope, type Plan, type Scope, type UserActor } from '../core/actor.ts';
import { sha256 } from '../core/crypto.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, invalidField, notFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/transaction.ts';
import { ApiKey } from './api-key.entity.ts';
import { createApiKeyInput } from './api-key.input.ts';
import { hintOf, isApiKeySecret, newApiKeySecret } from './api-key-secret.ts';

/**
 * A new key and, this once, its full secret. @throws AppError `invalid_request`, `insufficient_scope` when the caller's
 * own key lacks a scope that the new one would have
 */
export async function createApiKey(ctx: Ctx, input: unknown): Promise<{ apiKey: ApiKey; key: string }> {
  const { name, scopes, expiresAt } = parseInput(createApiKeyInput, input);
  const now = ctx.clock.now();
  if (expiresAt && expiresAt <= now) throw invalidField('expiresAt', 'too_small', 'expires_at must be in the future');
  requireHeldScopes(ctx, scopes);
  const key = newApiKeySecret();
  return inTransaction(ctx, async (tx) => {
    const apiKey = tx.em.create(ApiKey, {
      id: newId('apiKey'),
      userId: callerId(tx),
      name,
      hash: sha256(key),
      keyHint: hintOf(key),
      scopes,
      createdAt: now,
      lastUsedAt: null,
      expiresAt: expiresAt ?? null,
      revokedAt: null,
    });
    await tx.em.persist(apiKey).flush();
    return { apiKey, key };
  });
}

/** The caller's keys that work, newest first. */
export const listApiKeys = (ctx: Ctx): Promise<ApiKey[]> =>
  ctx.em.find(
    ApiKey,
    { userId: callerId(ctx), revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: ctx.clock.now() } }] },
    { orderBy: { createdAt: 'desc', id: 'desc' } },
  );

/** Ends a key at once, on every instance. @throws AppError `not_found` */
export async function revokeApiKey(ctx: Ctx, id: string): Promise<{ id: string; revokedAt: Date }> {
  const revokedAt = ctx.clock.now();
  const revoked = await ctx.em.nativeUpdate(ApiKey, { id, userId: callerId(ctx), revokedAt: null }, { revokedAt });
  if (revoked === 0) throw notFound();
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
