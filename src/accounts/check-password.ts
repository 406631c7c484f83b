import { sha256 } from '../core/crypto.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { recordFailedLogin } from './audit.ts';
import { verifyPassword } from './passwords.ts';
import type { User } from './user.entity.ts';

// By hand, because an entity costs more than the rest of a login but the hash.
const findUser = {
  name: 'user_by_email',
  text: `
    select id, email, username, password_hash as "passwordHash", display_name as "displayName", avatar_url as "avatarUrl", bio,
      email_verified as "emailVerified", plan, created_at as "createdAt", updated_at as "updatedAt",
      deletion_requested_at as "deletionRequestedAt"
    from users where email = $1`,
};

/**
 * The account with this address and password, be it scheduled for deletion. Says the same and takes as long for an
 * address without account. Ten failures of an e-mail from one address lock that pair.
 * @throws AppError `invalid_credentials`, `rate_limited`
 */
export async function checkPassword(ctx: Ctx, email: string, password: string): Promise<User> {
  const address = email.trim().toLowerCase();
  const forget = await countTry(ctx, address);
  const [user] = await ctx.sql<User>(findUser, [address]);
  if (!(await verifyPassword(user?.passwordHash, password)) || !user) {
    recordFailedLogin(ctx, address);
    throw new AppError('invalid_credentials');
  }
  await forget();
  return user;
}

/** Counts before the password is looked at: a hundred guesses at once are no more than ten. */
async function countTry(ctx: Ctx, email: string): Promise<() => Promise<void>> {
  const { failedLogins, failedLoginWindowSeconds: seconds } = ctx.config.rateLimits;
  const ip = ctx.actor.kind === 'system' ? '' : (ctx.actor.ip ?? '');
  const key = `login:${sha256(JSON.stringify([ip, email])).toString('base64url')}`;
  const { rateLimits } = ctx.ports;
  const { retryAfterSeconds } = await rateLimits.consume(key, failedLogins, seconds, seconds);
  if (retryAfterSeconds !== null) {
    throw new AppError('rate_limited', {
      message: 'Too many failed logins. Wait for the time given in Retry-After.',
      retryAfterSeconds,
    });
  }
  return () => rateLimits.forget(key, failedLogins, seconds, seconds);
}
