import type { Ctx } from '../core/ctx.ts';
import { decrypt, encrypt, randomToken, sha256 } from '../core/crypto.ts';
import { AppError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import type { EncryptedColumn } from '../core/re-encrypt.ts';
import { inTransaction, sendSql } from '../core/transaction.ts';
import { accessTokenSeconds, signAccessToken } from './access-tokens.ts';
import { refreshInput } from './account.input.ts';
import { recordAudit } from './audit.ts';

export const refreshTokenSeconds = 30 * 24 * 3_600;

/** Two tabs that refresh at the same moment get the same successor; later than this, a spent token is a stolen one. */
const reuseWindowMs = 10_000;

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  /** Seconds. */
  expiresIn: number;
}

const insertToken = {
  name: 'refresh_token_insert',
  text: `insert into refresh_tokens (hash, session_id, created_at, expires_at) values ($1, $2, $3, $4)`,
};

/** `rt_` and 256 random bits; only its hash is stored. Call it in a transaction, whose commit it travels with. */
export async function issueRefreshToken(ctx: Ctx, sessionId: string): Promise<string> {
  const token = `rt_${randomToken(32)}`;
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + refreshTokenSeconds * 1000);
  await sendSql(ctx, insertToken, [sha256(token), sessionId, now, expiresAt]);
  return token;
}

const lockToken = {
  name: 'refresh_token_lock',
  text: `
    select t.session_id as "sessionId", t.expires_at as "expiresAt", t.used_at as "usedAt", t.successor,
      s.user_id as "userId", s.revoked_at is not null or u.deletion_requested_at is not null as ended
    from refresh_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
    where t.hash = $1
    for update of t`,
};
const spendToken = {
  name: 'refresh_token_spend',
  text: `update refresh_tokens set used_at = $2, successor = $3 where hash = $1`,
};
const touchSession = {
  name: 'session_touch',
  text: `update sessions set last_used_at = $2, expires_at = $3 where id = $1`,
};
const revokeSession = {
  name: 'session_revoke',
  text: `update sessions set revoked_at = $2 where id = $1 and revoked_at is null`,
};

interface LockedToken {
  sessionId: string;
  expiresAt: Date;
  usedAt: Date | null;
  successor: string | null;
  userId: string;
  ended: boolean;
}

/**
 * Spends a refresh token for a new pair. Spent again within ten seconds it answers the same successor, later it ends
 * the whole session. @throws AppError `unauthenticated` when it is unknown, expired, revoked or was spent before
 */
export async function refresh(ctx: Ctx, input: unknown): Promise<TokenPair> {
  const { refreshToken } = parseInput(refreshInput, input);
  // A reuse is found inside the transaction and must be committed before it is refused.
  const pair = await inTransaction(ctx, (tx) => spend(tx, refreshToken));
  if (!pair)
    throw new AppError('unauthenticated', { message: 'The refresh token is not valid any more. Log in again.' });
  return pair;
}

async function spend(ctx: Ctx, token: string): Promise<TokenPair | null> {
  const hash = sha256(token);
  const now = ctx.clock.now();
  const [row] = await ctx.sql<LockedToken>(lockToken, [hash]);
  if (!row || row.ended || row.expiresAt <= now) return null;
  if (row.usedAt && (!row.successor || now.getTime() - row.usedAt.getTime() > reuseWindowMs)) {
    await ctx.sql(revokeSession, [row.sessionId, now]);
    await recordAudit(ctx, row.userId, 'session.token_reused', row.sessionId);
    ctx.log.warn({ sessionId: row.sessionId }, 'a spent refresh token was used again, its session has been ended');
    return null;
  }
  const context = contextOf(row.sessionId);
  const successor =
    row.usedAt && row.successor
      ? decrypt(ctx.config.encryptionKeys, row.successor, context).toString()
      : await issueRefreshToken(ctx, row.sessionId);
  if (!row.usedAt) {
    await ctx.sql(spendToken, [hash, now, encrypt(ctx.config.encryptionKeys, successor, context)]);
    await ctx.sql(touchSession, [row.sessionId, now, new Date(now.getTime() + refreshTokenSeconds * 1000)]);
  }
  const accessToken = await signAccessToken(ctx.config.authKeys, ctx.clock, row.userId, row.sessionId);
  return { accessToken, refreshToken: successor, expiresIn: accessTokenSeconds };
}

const contextOf = (sessionId: string): string => `refresh successor ${sessionId}`;

export const encryptedSuccessors: EncryptedColumn = {
  table: 'refresh_tokens',
  column: 'successor',
  key: { hash: Buffer.alloc(0) },
  contextColumns: ['session_id'],
  contextOf: ([sessionId = '']) => contextOf(sessionId),
};
