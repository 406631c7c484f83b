import { LockMode } from '@mikro-orm/core';
import { recordAudit } from '../accounts/audit.ts';
import { callerId } from '../accounts/caller.ts';
import { lockPlan } from '../accounts/plan.ts';
import { hasScope, type Plan, type Scope, type UserActor } from '../core/actor.ts';
import { sha256 } from '../core/crypto.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, invalidField, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { ApiKey } from './api-key.entity.ts';
import { createApiKeyInput, rotateApiKeyInput } from './api-key.input.ts';
import { hintOf, isApiKeySecret, newApiKeySecret } from './api-key-secret.ts';

/** A key with its secret, which is shown only once. */
interface NewApiKey {
  apiKey: ApiKey;
  key: string;
}

/** Largest number of working keys of an account. */
const maxApiKeys = 100;

/**
 * Creates a key and returns it with its secret, which is shown only once.
 * @throws AppError `invalid_request`, `plan_limit_exceeded`, `insufficient_scope` when the caller's own key lacks one
 * of the scopes
 */
export async function createApiKey(ctx: Ctx, input: unknown): Promise<NewApiKey> {
  const { name, scopes, expiresAt } = parseInput(createApiKeyInput(ctx.catalog.scopes), input);
  if (expiresAt && expiresAt <= ctx.clock.now())
    throw invalidField('expiresAt', 'too_small', 'expires_at must be in the future');
  requireHeldScopes(ctx, scopes);
  return inTransaction(ctx, async (tx) => {
    await enforceLimit(tx);
    const created = await insertKey(tx, { name, scopes, expiresAt: expiresAt ?? null });
    await recordAudit(tx, created.apiKey.userId, 'api_key.created', created.apiKey.id);
    return created;
  });
}

/**
 * Checks the limit of keys. Locks the user's row, so that concurrent requests are counted one after another.
 * @throws AppError `plan_limit_exceeded`
 */
async function enforceLimit(tx: Ctx): Promise<void> {
  const userId = callerId(tx);
  await lockPlan(tx, userId);
  if ((await tx.em.count(ApiKey, { userId, ...working(tx.clock.now()) })) < maxApiKeys) return;
  throw new AppError('plan_limit_exceeded', {
    message: `An account can have ${maxApiKeys} API keys. Revoke one that you no longer need.`,
  });
}

/**
 * Creates a successor of a key; the old key keeps working for `overlapSeconds`. The successor has the same name and
 * scopes and, if the key expires, the same lifetime.
 * @throws AppError `invalid_request`, `not_found`, `insufficient_scope`, `plan_limit_exceeded`
 */
export async function rotateApiKey(ctx: Ctx, id: string, input: unknown): Promise<NewApiKey> {
  const { overlapSeconds } = parseInput(rotateApiKeyInput, input ?? {});
  if (!isId('key_', id)) throw notFound();
  const userId = callerId(ctx);
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const old = await tx.em.findOne(ApiKey, { id, userId, ...working(now) }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!old) throw notFound();
    requireHeldScopes(tx, old.scopes);
    // Without an overlap the number of working keys does not change.
    if (overlapSeconds > 0) await enforceLimit(tx);
    const lifetimeMs = old.expiresAt ? old.expiresAt.getTime() - old.createdAt.getTime() : null;
    const expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs);
    const created = await insertKey(tx, { name: old.name, scopes: old.scopes, expiresAt });
    const overlapEnds = new Date(now.getTime() + overlapSeconds * 1000);
    if (!old.expiresAt || overlapEnds < old.expiresAt) old.expiresAt = overlapEnds;
    await tx.em.flush();
    await recordAudit(tx, userId, 'api_key.rotated', id);
    return created;
  });
}

async function insertKey(tx: Ctx, fields: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>): Promise<NewApiKey> {
  const key = newApiKeySecret();
  const apiKey = tx.em.create(ApiKey, {
    id: newId('key_'),
    userId: callerId(tx),
    ...fields,
    hash: sha256(key),
    keyHint: hintOf(key),
    createdAt: tx.clock.now(),
    lastUsedAt: null,
    revokedAt: null,
  });
  await tx.em.persist(apiKey).flush();
  return { apiKey, key };
}

/** Returns the filter for keys that are neither revoked nor expired. */
const working = (now: Date) => ({ revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] });

/** Lists the caller's working keys, newest first. */
export const listApiKeys = (ctx: Ctx): Promise<ApiKey[]> =>
  ctx.em.find(
    ApiKey,
    { userId: callerId(ctx), ...working(ctx.clock.now()) },
    { orderBy: { createdAt: 'desc', id: 'desc' } },
  );

/** Revokes a key. This takes effect immediately on every instance. @throws AppError `not_found` */
export async function revokeApiKey(ctx: Ctx, id: string): Promise<{ id: string; revokedAt: Date }> {
  if (!isId('key_', id)) throw notFound();
  const revokedAt = ctx.clock.now();
  const userId = callerId(ctx);
  await inTransaction(ctx, async (tx) => {
    const revoked = await tx.em.nativeUpdate(ApiKey, { id, userId, revokedAt: null }, { revokedAt });
    if (revoked === 0) throw notFound();
    await recordAudit(tx, userId, 'api_key.revoked', id);
  });
  return { id, revokedAt };
}

// Plain SQL, because every request with a key runs it.
const findKey = {
  name: 'api_key_find',
  text: `
    select k.id, k.user_id as "userId", k.scopes, u.plan,
      (k.last_used_at is null or k.last_used_at < $2::timestamptz - interval '60 seconds') as "isStale"
    from api_keys k join users u on u.id = k.user_id
    where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)
      and u.deletion_requested_at is null`,
};
const touchKey = { name: 'api_key_touch', text: `update api_keys set last_used_at = $2 where id = $1` };

interface KeyRow {
  id: string;
  userId: string;
  scopes: Scope[];
  plan: Plan;
  /** Whether `last_used_at` is older than a minute, so that a busy key is not written on every request. */
  isStale: boolean;
}

/** Returns the user of an API key; null when the key is unknown, expired or revoked. */
export async function findApiKeyActor(
  ctx: Pick<Ctx, 'sql' | 'clock' | 'log'>,
  secret: string,
  ip: string | null,
): Promise<UserActor | null> {
  if (!isApiKeySecret(secret)) return null;
  const now = ctx.clock.now();
  const [row] = await ctx.sql<KeyRow>(findKey, [sha256(secret), now]);
  if (!row) return null;
  if (row.isStale)
    ctx
      .sql(touchKey, [row.id, now])
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not record the last use of an API key'));
  const { id, userId, plan, scopes } = row;
  return { kind: 'user', userId, plan, scopes, sessionId: null, apiKeyId: id, ip };
}

function requireHeldScopes(ctx: Ctx, wanted: readonly Scope[]): void {
  if (ctx.actor.kind !== 'user' || ctx.actor.apiKeyId === null) return;
  const held = ctx.actor.scopes;
  const lacking = wanted.filter((scope) => !hasScope(held, scope));
  if (lacking.length > 0) {
    throw new AppError('insufficient_scope', {
      message: `An API key can't grant a scope that it lacks: ${lacking.join(', ')}.`,
    });
  }
}
