import type { Ctx } from '../../core/ctx.ts';
import { decrypt, encrypt, randomToken, sha256 } from '../../core/crypto.ts';
import { AppError } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import type { EncryptedColumn } from '../../core/database/re-encrypt.ts';
import { beforeNow } from '../../core/database/database-time.ts';
import { inTransaction, lockThenRead, sendSql } from '../../core/database/transaction.ts';
import { accessTokenSeconds, signAccessToken } from './access-tokens.ts';
import { refreshInput } from '../account.input.ts';
import { recordAudit } from '../audit.ts';
import { Session } from './session.entity.ts';

export const refreshTokenSeconds = 30 * 24 * 3_600;

/**
 * How long a used token may be used again, because two tabs may refresh at the same time. Reuse after that is treated
 * as theft.
 */
const reuseWindowMs = 10_000;

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  /** Lifetime of the access token in seconds. */
  expiresIn: number;
}

const insertToken = {
  name: 'refresh_token_insert',
  text: `insert into refresh_tokens (hash, session_id, created_at, expires_at) values ($1, $2, $3, $4)`,
};

/**
 * Issues a refresh token of 256 random bits with the prefix `rt_` and stores its hash. Call it in a transaction: the
 * statement is sent with the commit.
 */
export async function issueRefreshToken(ctx: Ctx, sessionId: string): Promise<string> {
  const token = `rt_${randomToken(32)}`;
  const now = ctx.clock.now();
  await sendSql(ctx, insertToken, [sha256(token), sessionId, now, endOfLife(now)]);
  return token;
}

const endOfLife = (now: Date): Date => new Date(now.getTime() + refreshTokenSeconds * 1000);

// The reuse window uses the clock of the database only; expiry uses the service's clock.
const lockToken = { name: 'refresh_token_lock', text: `select from refresh_tokens where hash = $1 for update` };
const findToken = {
  name: 'refresh_token_locked',
  text: `
    select t.session_id as "sessionId", s.user_id as "userId", t.used_at is not null as "isUsed", t.successor,
      t.used_at >= ${beforeNow(reuseWindowMs)} as "isReusable",
      t.expires_at <= $2 or s.revoked_at is not null or u.deletion_requested_at is not null as "isInvalid"
    from refresh_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
    where t.hash = $1`,
};
const spendToken = {
  name: 'refresh_token_spend',
  text: `update refresh_tokens set used_at = now(), successor = $2 where hash = $1`,
};
const touchSession = {
  name: 'session_touch',
  text: `update sessions set last_used_at = $2, expires_at = $3 where id = $1`,
};

interface LockedToken {
  sessionId: string;
  userId: string;
  isUsed: boolean;
  /** Encrypted successor; null until the token is used. */
  successor: string | null;
  /** Null until the token is used. */
  isReusable: boolean | null;
  isInvalid: boolean;
}

/**
 * Exchanges a refresh token for a new pair. Reuse within ten seconds returns the same successor; later reuse revokes
 * the session.
 * @throws AppError `unauthenticated` when the token is unknown, expired, revoked or was used before
 */
export async function refresh(ctx: Ctx, input: unknown): Promise<TokenPair & { userId: string }> {
  const { refreshToken } = parseInput(refreshInput, input);
  // The revocation after a reuse must be committed before the request is rejected.
  const pair = await inTransaction(ctx, (tx) => exchange(tx, refreshToken));
  if (!pair) throw new AppError('unauthenticated', { message: 'The refresh token is no longer valid. Log in again.' });
  return pair;
}

async function exchange(tx: Ctx, token: string): Promise<(TokenPair & { userId: string }) | null> {
  const hash = sha256(token);
  const [row] = await lockThenRead<LockedToken>(tx, [lockToken, [hash]], [findToken, [hash, tx.clock.now()]]);
  if (!row || row.isInvalid) return null;
  if (row.isUsed && !(row.isReusable && row.successor)) {
    await revokeAfterReuse(tx, row);
    return null;
  }
  const { userId, sessionId } = row;
  const refreshToken = row.successor ? openSuccessor(tx, row.successor, sessionId) : await succeed(tx, hash, sessionId);
  const accessToken = await signAccessToken(tx.config.authKeys, { userId, sessionId, issuedAt: tx.clock.now() });
  return { accessToken, refreshToken, expiresIn: accessTokenSeconds, userId };
}

async function succeed(tx: Ctx, hash: Buffer, sessionId: string): Promise<string> {
  const successor = await issueRefreshToken(tx, sessionId);
  await tx.sql(spendToken, [hash, encrypt(tx.config.encryptionKeys, successor, contextOf(sessionId))]);
  const now = tx.clock.now();
  await tx.sql(touchSession, [sessionId, now, endOfLife(now)]);
  return successor;
}

async function revokeAfterReuse(tx: Ctx, { sessionId, userId }: LockedToken): Promise<void> {
  await tx.em.nativeUpdate(Session, { id: sessionId, revokedAt: null }, { revokedAt: tx.clock.now() });
  await recordAudit(tx, userId, 'session.token_reused', sessionId);
  tx.log.warn({ sessionId }, 'a refresh token was used again, so its session was revoked');
}

const openSuccessor = (ctx: Ctx, successor: string, sessionId: string): string =>
  decrypt(ctx.config.encryptionKeys, successor, contextOf(sessionId)).toString();

const contextOf = (sessionId: string): string => `refresh successor ${sessionId}`;

export const encryptedSuccessors: EncryptedColumn = {
  table: 'refresh_tokens',
  column: 'successor',
  key: { hash: Buffer.alloc(0) },
  contextColumns: ['session_id'],
  contextOf: ([sessionId = '']) => contextOf(sessionId),
};
