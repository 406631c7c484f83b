import { randomToken, sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { User } from '../user.entity.ts';
import { AccountToken, type AccountTokenKind } from './account-token.entity.ts';

const kinds = {
  verify: { prefix: 'vt_', lifetimeMs: 24 * 3_600_000 },
  change: { prefix: 'ect_', lifetimeMs: 24 * 3_600_000 },
  reset: { prefix: 'rst_', lifetimeMs: 3_600_000 },
} as const satisfies Record<AccountTokenKind, object>;

/** Returns whether a token has the format of one for a new e-mail address. */
export const isChangeToken = (token: string): boolean => token.startsWith(kinds.change.prefix);

/** Largest number of mails with a token of each kind that an account can request within an hour. */
const maxPerHour = 5;
const hourMs = 3_600_000;

const lockUser = { name: 'account_token_lock_user', text: `select from users where id = $1 for no key update` };
// Plain SQL, because registration runs it.
const oldestOfLimit = {
  name: 'account_token_oldest',
  text: `
    select created_at as "createdAt" from account_tokens where user_id = $1 and kind = $2 and created_at > $3
    order by created_at desc offset $4 limit 1`,
};
const insert = {
  name: 'account_token_insert',
  text: `insert into account_tokens (hash, user_id, kind, created_at, expires_at, email) values ($1, $2, $3, $4, $5, $6)`,
};

/**
 * Issues a one-time token of 256 random bits and stores its hash. Call it in the transaction of its mail.
 * @throws AppError `rate_limited` when the account has requested five of the kind within the hour
 */
export async function issueAccountToken(
  tx: Ctx,
  userId: string,
  kind: AccountTokenKind,
  email: string | null = null,
): Promise<string> {
  const { prefix, lifetimeMs } = kinds[kind];
  const now = tx.clock.now();
  await tx.sql(lockUser, [userId]);
  const since = new Date(now.getTime() - hourMs);
  const [oldest] = await tx.sql<{ createdAt: Date }>(oldestOfLimit, [userId, kind, since, maxPerHour - 1]);
  if (oldest) {
    const waitMs = oldest.createdAt.getTime() + hourMs - now.getTime();
    throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
  const token = prefix + randomToken(32);
  await tx.sql(insert, [sha256(token), userId, kind, now, new Date(now.getTime() + lifetimeMs), email]);
  return token;
}

// A single statement, so that only one of several concurrent callers claims the token.
const spend = {
  name: 'account_token_spend',
  text: `
    update account_tokens t set used_at = $3 from users u
    where t.hash = $1 and t.kind = $2 and t.used_at is null and t.expires_at > $3
      and u.id = t.user_id and u.deletion_requested_at is null and ($4::text is null or t.user_id = $4)
    returning t.user_id as "userId", t.email`,
};

/**
 * Uses up a token and returns its user and the new address that it proves control of, if any. Only one of several
 * concurrent callers succeeds. With `ofUser`, a token of another user is invalid.
 * @throws AppError `invalid_token`
 */
export async function spendAccountToken(
  tx: Ctx,
  token: string,
  kind: AccountTokenKind,
  ofUser: string | null = null,
): Promise<{ userId: string; email: string | null }> {
  const [row] = await tx.sql<{ userId: string; email: string | null }>(spend, [
    sha256(token),
    kind,
    tx.clock.now(),
    ofUser,
  ]);
  if (!row) throw new AppError('invalid_token');
  return row;
}

/** Returns the user of a token that can still be used. @throws AppError `invalid_token` */
export async function getTokenOwner(ctx: Ctx, token: string, kind: AccountTokenKind): Promise<User> {
  const usable = { hash: sha256(token), kind, usedAt: null, expiresAt: { $gt: ctx.clock.now() } };
  const found = await ctx.em.findOne(AccountToken, usable);
  const owner = found && (await ctx.em.findOne(User, { id: found.userId, deletionRequestedAt: null }));
  if (!owner) throw new AppError('invalid_token');
  return owner;
}

/** Invalidates the unused tokens of a kind. */
export async function cancelAccountTokens(tx: Ctx, userId: string, kind: AccountTokenKind): Promise<void> {
  await tx.em.nativeUpdate(AccountToken, { userId, kind, usedAt: null }, { usedAt: tx.clock.now() });
}
