import { randomToken, sha256 } from '../core/crypto.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';

const kinds = {
  verify: { prefix: 'vt_', lifetimeMs: 24 * 3_600_000 },
  reset: { prefix: 'rst_', lifetimeMs: 3_600_000 },
} as const;

type TokenKind = keyof typeof kinds;

/** Mails with a token that one account gets in an hour, of each kind. */
const maxPerHour = 5;
const hourMs = 3_600_000;

const lockUser = { name: 'account_token_lock_user', text: `select from users where id = $1 for no key update` };
const oldestOfLimit = {
  name: 'account_token_oldest',
  text: `
    select created_at as "createdAt" from account_tokens where user_id = $1 and kind = $2 and created_at > $3
    order by created_at desc offset $4 limit 1`,
};
const insert = {
  name: 'account_token_insert',
  text: `insert into account_tokens (hash, user_id, kind, created_at, expires_at) values ($1, $2, $3, $4, $5)`,
};

/**
 * A new one-time token of 256 random bits, stored as a hash. Call it in the transaction of its mail.
 * @throws AppError `rate_limited` when the account got five of the kind within the hour
 */
export async function issueAccountToken(ctx: Ctx, userId: string, kind: TokenKind): Promise<string> {
  const { prefix, lifetimeMs } = kinds[kind];
  const now = ctx.clock.now();
  await ctx.sql(lockUser, [userId]);
  const since = new Date(now.getTime() - hourMs);
  const [oldest] = await ctx.sql<{ createdAt: Date }>(oldestOfLimit, [userId, kind, since, maxPerHour - 1]);
  if (oldest) {
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest.createdAt.getTime() + hourMs - now.getTime()) / 1000));
    throw new AppError('rate_limited', { retryAfterSeconds });
  }
  const token = prefix + randomToken(32);
  await ctx.sql(insert, [sha256(token), userId, kind, now, new Date(now.getTime() + lifetimeMs)]);
  return token;
}

const spend = {
  name: 'account_token_spend',
  text: `
    update account_tokens t set used_at = $3 from users u
    where t.hash = $1 and t.kind = $2 and t.used_at is null and t.expires_at > $3
      and u.id = t.user_id and u.deletion_requested_at is null and ($4::text is null or t.user_id = $4)
    returning t.user_id as "userId"`,
};

/**
 * Spends a token: of any number of callers one gets the id of its user. `ofUser` refuses everybody else's.
 * @throws AppError `invalid_token`
 */
export async function spendAccountToken(
  ctx: Ctx,
  token: string,
  kind: TokenKind,
  ofUser: string | null = null,
): Promise<string> {
  const [row] = await ctx.sql<{ userId: string }>(spend, [sha256(token), kind, ctx.clock.now(), ofUser]);
  if (!row) throw new AppError('invalid_token');
  return row.userId;
}

const find = {
  name: 'account_token_find',
  text: `
    select u.email, u.username from account_tokens t join users u on u.id = t.user_id
    where t.hash = $1 and t.kind = $2 and t.used_at is null and t.expires_at > $3 and u.deletion_requested_at is null`,
};

/** Whose token it is, while it can be spent. @throws AppError `invalid_token` */
export async function getTokenOwner(
  ctx: Ctx,
  token: string,
  kind: TokenKind,
): Promise<{ email: string; username: string }> {
  const [row] = await ctx.sql<{ email: string; username: string }>(find, [sha256(token), kind, ctx.clock.now()]);
  if (!row) throw new AppError('invalid_token');
  return row;
}

const cancel = {
  name: 'account_tokens_cancel',
  text: `update account_tokens set used_at = $3 where user_id = $1 and kind = $2 and used_at is null`,
};

/** Makes the tokens of a kind that a user has not used yet worthless. */
export const cancelAccountTokens = async (ctx: Ctx, userId: string, kind: TokenKind): Promise<void> =>
  void (await ctx.sql(cancel, [userId, kind, ctx.clock.now()]));
