import { requireUser } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { violatedUnique } from '../core/database-errors.ts';
import { AppError, type ErrorCode } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/transaction.ts';
import { accessTokenSeconds } from './access-tokens.ts';
import { loginInput, profileInput, registerInput } from './account.input.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { issueRefreshToken, refreshTokenSeconds, type TokenPair } from './refresh-tokens.ts';
import { startSession } from './sessions.ts';
import { User } from './user.entity.ts';
import { availableUsername } from './usernames.ts';

interface Client {
  userAgent: string | null;
}

/**
 * A new account and an access token for its first session.
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
      return { user, accessToken };
    }),
  );
}

/**
 * A new session for the right e-mail and password. An unknown address takes as long and says the same as a wrong password.
 * @throws AppError `invalid_credentials`, `account_scheduled_for_deletion`
 */
export async function login(ctx: Ctx, input: unknown, client: Client): Promise<TokenPair & { user: User }> {
  const { email, password } = parseInput(loginInput, input);
  const user = await ctx.em.findOne(User, { email: email.trim().toLowerCase() });
  if (!(await verifyPassword(user?.passwordHash, password)) || !user) throw new AppError('invalid_credentials');
  if (user.deletionRequestedAt) throw new AppError('account_scheduled_for_deletion');
  return inTransaction(ctx, async (tx) => {
    const { session, accessToken } = await startSession(tx, user.id, refreshTokenSeconds, client.userAgent);
    const refreshToken = await issueRefreshToken(tx, session.id);
    return { accessToken, refreshToken, expiresIn: accessTokenSeconds, user };
  });
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

/** The id of the signed-in caller. @throws AppError `unauthenticated` */
export const callerId = (ctx: Ctx): string => requireUser(ctx.actor).userId;

const takenCodes: Record<string, ErrorCode> = { users_email_key: 'email_taken', users_username_key: 'username_taken' };

async function reportTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = takenCodes[violatedUnique(error) ?? ''];
    throw code ? new AppError(code, { cause: error }) : error;
  }
}
