import pLimit, { type LimitFunction } from 'p-limit';
import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { AppError } from '../../core/errors.ts';
import { readEmail } from '../../core/text/email.ts';
import { recordFailedLogin } from '../audit.ts';
import { User } from '../user.entity.ts';
import { verifyPassword } from './passwords.ts';

// Plain SQL, because loading an entity costs more than the rest of a login without the hash.
const findUser = {
  name: 'user_by_email',
  text: `select ${columnsOf(User, 'u')} from users u where u.email = $1`,
};

/**
 * Returns the account with this address and password, even one that is scheduled for deletion. The error and the time
 * are the same for an address without an account. Ten failures for an e-mail address from one IP address lock that
 * pair.
 * @throws AppError `invalid_credentials`, `rate_limited`
 */
export async function checkPassword(ctx: Ctx, email: string, password: string): Promise<User> {
  // An account may have an older address, which `readEmail` rejects.
  const address = readEmail(email) ?? email.trim().toLowerCase();
  const pair = pairOf(ctx, address);
  return fewAtOnce(pair, async () => {
    await countAttempt(ctx, pair);
    const [user] = await ctx.sql<User>(findUser, [address]);
    if (!(await verifyPassword(user?.passwordHash, password)) || !user) {
      recordFailedLogin(ctx, address);
      throw new AppError('invalid_credentials');
    }
    await resetFailures(ctx, pair);
    return user;
  });
}

const pairOf = ({ actor }: Ctx, email: string): string => {
  const ip = actor.kind === 'system' ? '' : (actor.ip ?? '');
  return `login:${sha256(JSON.stringify([ip, email])).toString('base64url')}`;
};

const attemptsAtOnce = 2;
const attempts = new Map<string, LimitFunction>();

/**
 * Runs at most two attempts of a pair concurrently. An attempt counts as a failure until its password is verified, so
 * many parallel logins with the right password would otherwise lock the pair.
 */
async function fewAtOnce<Result>(pair: string, attempt: () => Promise<Result>): Promise<Result> {
  const limit = attempts.get(pair) ?? pLimit(attemptsAtOnce);
  attempts.set(pair, limit);
  try {
    return await limit(attempt);
  } finally {
    if (limit.activeCount + limit.pendingCount === 0) attempts.delete(pair);
  }
}

/**
 * Counts an attempt before the password is verified, so that parallel guesses on any number of instances get no more
 * than ten.
 */
async function countAttempt(ctx: Ctx, pair: string): Promise<void> {
  const { failedLogins, failedLoginWindowSeconds: seconds } = ctx.config.rateLimits;
  const { retryAfterSeconds } = await ctx.ports.rateLimits.consume(pair, failedLogins, seconds, seconds);
  if (retryAfterSeconds === null) return;
  throw new AppError('rate_limited', {
    message: 'Too many failed logins. Wait for the time given in Retry-After.',
    retryAfterSeconds,
  });
}

function resetFailures(ctx: Ctx, pair: string): Promise<void> {
  const { failedLogins, failedLoginWindowSeconds: seconds } = ctx.config.rateLimits;
  return ctx.ports.rateLimits.forget(pair, failedLogins, seconds, seconds);
}
