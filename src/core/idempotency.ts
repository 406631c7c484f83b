import { randomUUID } from 'node:crypto';
import { requireUser } from './actor.ts';
import { decrypt, encrypt, sha256 } from './crypto.ts';
import type { Ctx } from './ctx.ts';
import { AppError } from './errors.ts';
import type { EncryptedColumn } from './re-encrypt.ts';
import { inTransaction } from './transaction.ts';

/** A request as its `Idempotency-Key` knows it. */
export interface KeyedRequest {
  key: string;
  method: string;
  /** The concrete path, without the query. */
  path: string;
  /** Anything that tells one body from another. */
  body: unknown;
}

export interface KeyedAnswer {
  status: number;
  /** Exactly the bytes that are sent. */
  body: string;
}

interface KeyedWork<C extends Ctx> {
  /** Does the work. With `atomic` its Ctx is a transaction that also stores the answer: a crash leaves both or neither. */
  run(ctx: C): Promise<KeyedAnswer>;
  /** False for work that reaches the network, which must not happen in a transaction. */
  atomic: boolean;
  /** The answer to a failure that is final and so is stored like a success; null for one that may be tried again. */
  finalAnswer(error: unknown): KeyedAnswer | null;
}

// As long as a task is held: what a killed process began is anybody’s after that.
const lockMs = 15_000;
const keepMs = 24 * 3_600_000;
const keyForm = /^[\x21-\x7e]{1,255}$/;

/**
 * Answers a request that carries an `Idempotency-Key`: the first time by doing its work, for 24 hours after that with
 * the first answer, which is kept encrypted.
 * @throws AppError `idempotency_mismatch`, `idempotency_in_progress`, and what `run` throws
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
  // A transaction is over before its lock is; other work may take minutes.
  const held = work.atomic ? undefined : setInterval(() => void hold(ctx, claim), lockMs / 3);
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

async function hold(ctx: Ctx, { row }: Claim): Promise<void> {
  try {
    await ctx.sql(renewKey, [...row, new Date(ctx.clock.now().getTime() + lockMs)]);
  } catch (error) {
    ctx.log.warn({ err: error }, 'the lock of an Idempotency-Key was not renewed');
  }
}

interface Claim {
  /** Primary key and lock token. */
  row: string[];
}

const claimStatement = {
  name: 'idempotency_claim',
  text: `
    insert into idempotency_keys as i (user_id, key, method, path, lock_token, request_hash, locked_until, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (user_id, key, method, path) do update set lock_token = $5, request_hash = $6, locked_until = $7,
      status = null, body = null, created_at = $8, expires_at = $9
    where i.expires_at <= $8 or (i.status is null and i.locked_until <= $8 and i.request_hash = $6)
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
    update idempotency_keys set status = $6, body = $7
    where user_id = $1 and key = $2 and method = $3 and path = $4 and lock_token = $5 and status is null
    returning 1 as stored`,
};
const renewKey = {
  name: 'idempotency_renew',
  text: `
    update idempotency_keys set locked_until = $6
    where user_id = $1 and key = $2 and method = $3 and path = $4 and lock_token = $5 and status is null`,
};
const releaseKey = {
  name: 'idempotency_release',
  text: `
    delete from idempotency_keys
    where user_id = $1 and key = $2 and method = $3 and path = $4 and lock_token = $5 and status is null`,
};

async function claimKey(ctx: Ctx, request: KeyedRequest): Promise<Claim | { answer: KeyedAnswer }> {
  const now = ctx.clock.now();
  const primaryKey = [requireUser(ctx.actor).userId, request.key, request.method, request.path];
  const token = randomUUID();
  const hash = sha256(JSON.stringify(request.body) ?? '');
  const claimed = await ctx.sql(claimStatement, [
    ...primaryKey,
    token,
    hash,
    new Date(now.getTime() + lockMs),
    now,
    new Date(now.getTime() + keepMs),
  ]);
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
  // The lock ran out and another request has taken over: what this one did is rolled back.
  if (stored.length === 0) throw new AppError('idempotency_in_progress', { retryAfterSeconds: 1 });
}

const contextOf = (primaryKey: readonly string[]): string => `idempotent answer ${primaryKey.join(' ')}`;

export const encryptedAnswers: EncryptedColumn = {
  table: 'idempotency_keys',
  column: 'body',
  key: { user_id: '', key: '', method: '', path: '' },
  contextOf,
};
