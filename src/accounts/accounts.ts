import type { Ctx } from '../core/ctx.ts';
import { violatedUnique } from '../core/database-errors.ts';
import { AppError, type ErrorCode } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/transaction.ts';
import { accessTokenSeconds } from './access-tokens.ts';
import { loginInput, profileInput, registerInput } from './account.input.ts';
import { recordAudit } from './audit.ts';
import { callerId } from './caller.ts';
import { checkPassword } from './check-password.ts';
import { sendVerification } from './email-verification.ts';
import { hashPassword } from './passwords.ts';
import { issueRefreshToken, refreshTokenSeconds, type TokenPair } from './refresh-tokens.ts';
import { startSession } from './sessions.ts';
import { User } from './user.entity.ts';
import { availableUsername } from './usernames.ts';

export interface Client {
  userAgent: string | null;
}

export type SignIn = TokenPair & { user: User };

/**
 * A new account and an access token for its first session. Mails a verification token.
 * @throws AppError `invalid_request`, `email_taken`, `username_taken`
 */
export async function register(ctx: Ctx, input: unknown, client: Client): Promise<{ user: User; accessToken: string }> {
  const { email, password, username } = parseInput(registerInput, input);
  const passwordHash = await hashPassword(password);
  return reportTaken(() =>
    inTransaction(ctx, async (tx) => {
      const now = tx.clock.now();
      const user = tx.em.create(User, {
        id: newId('user'),
        email,
        username: username ?? (await availableUsername(tx, email)),
        passwordHash,
        displayName: null,
        avatarUrl: null,
        bio: null,
        emailVerified: false,
        plan: 'free',
        createdAt: now,
        updatedAt: now,
        deletionRequestedAt: null,
      });
      await tx.em.persist(user).flush();
      const { accessToken } = await startSession(tx, user.id, accessTokenSeconds, client.userAgent);
      await sendVerification(tx, user);
      await recordAudit(tx, user.id, 'account.registered');
      return { user, accessToken };
    }),
  );
}

/**
 * A new session for the right e-mail and password. An unknown address takes as long and says the same as a wrong password.
 * @throws AppError `invalid_credentials`, `rate_limited`, `account_scheduled_for_deletion`
 */
export async function login(ctx: Ctx, input: unknown, client: Client): Promise<SignIn> {
  const { email, password } = parseInput(loginInput, input);
  const user = await checkPassword(ctx, email, password);
  if (user.deletionRequestedAt) throw new AppError('account_scheduled_for_deletion');
  return inTransaction(ctx, (tx) => signIn(tx, user, client));
}

const lockCredentials = {
  name: 'user_lock_credentials',
  text: `select from users where id = $1 and password_hash = $2 and deletion_requested_at is null for share`,
};

/**
 * A session of a user who has shown the password. Call it in a transaction.
 * @throws AppError `invalid_credentials` when the password was changed or the account deleted since it was looked at
 */
export async function signIn(ctx: Ctx, user: User, client: Client): Promise<SignIn> {
  if ((await ctx.sql(lockCredentials, [user.id, user.passwordHash])).length === 0) {
    throw new AppError('invalid_credentials');
  }
  const { sessionId, accessToken } = await startSession(ctx, user.id, refreshTokenSeconds, client.userAgent);
  const refreshToken = await issueRefreshToken(ctx, sessionId);
  await recordAudit(ctx, user.id, 'login.succeeded', sessionId);
  return { accessToken, refreshToken, expiresIn: accessTokenSeconds, user };
}

/** The caller's account. */
export const getProfile = (ctx: Ctx): Promise<User> => ctx.em.findOneOrFail(User, { id: callerId(ctx) });

/** Changes the fields present. @throws AppError `invalid_request`, `username_taken` */
export async function updateProfile(ctx: Ctx, input: unknown): Promise<User> {
  const changes = parseInput(profileInput, input);
  return reportTaken(() =>
    inTransaction(ctx, async (tx) => {
      const user = await getProfile(tx);
      tx.em.assign(user, { ...changes, updatedAt: tx.clock.now() }, { ignoreUndefined: true });
      await tx.em.flush();
      return user;
    }),
  );
}

const takenCodes: Record<string, ErrorCode> = { users_email_key: 'email_taken', users_username_key: 'username_taken' };

async function reportTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = takenCodes[violatedUnique(error) ?? ''];
    throw code ? new AppError(code, { cause: error }) : error;
  }
}
