import { randomUUID } from 'node:crypto';
import { requireUser } from '../actor.ts';
import { decrypt, encrypt, sha256 } from '../crypto.ts';
import type { Ctx } from '../ctx.ts';
import { AppError } from '../errors.ts';
import type { EncryptedColumn } from '../database/re-encrypt.ts';
import { fromNow } from '../database/database-time.ts';
import { leaseSql } from '../database/lease.ts';
import { inTransaction } from '../database/transaction.ts';

/** Identity of a request with an `Idempotency-Key`. */
export interface KeyedRequest {
  key: string;
  method: string;
  /** Actual path, without the query. */
  path: string;
  /** Request body in any form that distinguishes different bodies. */
  body: unknown;
}

export interface KeyedAnswer {
  status: number;
  /** Response body exactly as it is sent. */
  body: string;
}

interface KeyedWork<C extends Ctx> {
  /**
   * Runs the operation. With `atomic`, its Ctx is a transaction that also stores the response, so a crash keeps both or
   * neither.
   */
  run(ctx: C): Promise<KeyedAnswer>;
  /** Whether the operation runs in a transaction. Must be false for operations that use the network. */
  atomic: boolean;
  /**
   * Returns the response for a final failure, which is stored like a success; null for a failure that may be retried.
   */
  finalAnswer(error: unknown): KeyedAnswer | null;
}

/** Equals the lease of a task: afterwards another request can take over from a killed process. */
const leaseMs = 15_000;
const keepMs = 24 * 3_600_000;
const keyForm = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a request with an `Idempotency-Key` once. For 24 hours, repeated requests get its stored response, which is
 * encrypted at rest.
 * @throws AppError `invalid_request` for a malformed key, `idempotency_mismatch`, `idempotency_in_progress`, and what
 * `run` throws
 */
export async function answerOnce<C extends Ctx>(
  ctx: C,
  request: KeyedRequest,
  work: KeyedWork<C>,
): Promise<KeyedAnswer & { replayed: boolean }> {
  if (!keyForm.test(request.key)) {
    throw new AppError('invalid_request', { message: 'Idempotency-Key must have 1 to 255 visible ASCII characters.' });
  }
  const claim = await claimKey(ctx, request);
  if ('answer' in claim) return { ...claim.answer, replayed: true };
  // A transaction always ends before its lease expires; other work may take minutes.
  const held = work.atomic ? undefined : setInterval(() => void extend(ctx, claim), leaseMs / 3);
  const runAndStore = async (inner: C) => {
    const answer = await work.run(inner);
    await storeAnswer(inner, claim, answer);
    return answer;
  };
  try {
    const answer = await (work.atomic ? inTransaction(ctx, (tx) => runAndStore(tx as C)) : runAndStore(ctx));
    return { ...answer, replayed: false };
  } catch (error) {
    const final = work.finalAnswer(error);
    await (final ? storeAnswer(ctx, claim, final) : ctx.sql(releaseKey, claim.row));
    throw error;
  } finally {
    clearInterval(held);
  }
}

/** Deletes the stored response of a key whose content is no longer available. */
export async function deleteAnswer(ctx: Ctx, { key, method, path }: Omit<KeyedRequest, 'body'>): Promise<void> {
  await ctx.sql(deleteStored, [requireUser(ctx.actor).userId, key, method, path]);
}

async function extend(ctx: Ctx, { row }: Claim): Promise<void> {
  try {
    await ctx.sql(extendLease, row);
  } catch (error) {
    ctx.log.warn({ err: error }, 'could not extend the lease of an Idempotency-Key');
  }
}

interface Claim {
  /** Primary key and lease token. */
  row: string[];
}

const lease = leaseSql({ owner: 'lock_token', expiresAt: 'locked_until' });
const existing = leaseSql({ owner: 'lock_token', expiresAt: 'locked_until', alias: 'i' });
const isHeld = `user_id = $1 and key = $2 and method = $3 and path = $4 and ${lease.isOwnedBy('$5')} and status is null`;

const claimStatement = {
  name: 'idempotency_claim',
  text: `
    insert into idempotency_keys as i (user_id, key, method, path, lock_token, request_hash, locked_until, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, ${fromNow(leaseMs)}, now(), ${fromNow(keepMs)})
    on conflict (user_id, key, method, path) do update set request_hash = $6, ${lease.claim('$5', leaseMs)},
      status = null, body = null, created_at = excluded.created_at, expires_at = excluded.expires_at
    where i.expires_at <= now() or (i.status is null and ${existing.isFree} and i.request_hash = $6)
    returning 1 as claimed`,
};
const findStatement = {
  name: 'idempotency_find',
  text: `
    select request_hash as "requestHash", status, body from idempotency_keys
    where user_id = $1 and key = $2 and method = $3 and path = $4`,
};
const storeStatement = {
  name: 'idempotency_store',
  text: `
    update idempotency_keys set status = $6, body = $7 where ${isHeld} returning 1 as stored`,
};
const extendLease = {
  name: 'idempotency_extend',
  text: `update idempotency_keys set ${lease.extend(leaseMs)} where ${isHeld}`,
};
const releaseKey = {
  name: 'idempotency_release',
  text: `delete from idempotency_keys where ${isHeld}`,
};

const deleteStored = {
  name: 'idempotency_delete_stored',
  text: `
    delete from idempotency_keys
    where user_id = $1 and key = $2 and method = $3 and path = $4 and status is not null`,
};

async function claimKey(ctx: Ctx, request: KeyedRequest): Promise<Claim | { answer: KeyedAnswer }> {
  const primaryKey = [requireUser(ctx.actor).userId, request.key, request.method, request.path];
  const token = randomUUID();
  const hash = sha256(JSON.stringify(request.body) ?? '');
  const claimed = await ctx.sql(claimStatement, [...primaryKey, token, hash]);
  if (claimed.length > 0) return { row: [...primaryKey, token] };
  const [held] = await ctx.sql<{ requestHash: Buffer; status: number | null; body: string | null }>(
    findStatement,
    primaryKey,
  );
  if (held && !hash.equals(held.requestHash)) throw new AppError('idempotency_mismatch');
  if (held?.status && held.body !== null) {
    return {
      answer: {
        status: held.status,
        body: decrypt(ctx.config.encryptionKeys, held.body, contextOf(primaryKey)).toString(),
      },
    };
  }
  throw new AppError('idempotency_in_progress', { retryAfterSeconds: 1 });
}

async function storeAnswer(ctx: Ctx, { row }: Claim, { status, body }: KeyedAnswer): Promise<void> {
  const encrypted = encrypt(ctx.config.encryptionKeys, body, contextOf(row.slice(0, 4)));
  const stored = await ctx.sql(storeStatement, [...row, status, encrypted]);
  // The lease expired and another request has taken over. The error rolls this transaction back.
  if (stored.length === 0) throw new AppError('idempotency_in_progress', { retryAfterSeconds: 1 });
}

const contextOf = (primaryKey: readonly string[]): string => `idempotent answer ${primaryKey.join(' ')}`;

export const encryptedAnswers: EncryptedColumn = {
  table: 'idempotency_keys',
  column: 'body',
  key: { user_id: '', key: '', method: '', path: '' },
  contextOf,
};
