import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { accessTokenSeconds } from './credentials/access-tokens.ts';
import type { ProfileChangeStep } from './account.ports.ts';
import { loginInput, profileInput, registerInput } from './account.input.ts';
import { recordAudit } from './audit.ts';
import { callerId } from './caller.ts';
import { checkPassword } from './credentials/check-password.ts';
import { sendVerification } from './credentials/email-verification.ts';
import { hashPassword } from './credentials/passwords.ts';
import { issueRefreshToken, refreshTokenSeconds, type TokenPair } from './credentials/refresh-tokens.ts';
import { startSession } from './credentials/sessions.ts';
import { admitRegistration } from './mail/mail-limits.ts';
import { reportTaken } from './taken.ts';
import { User } from './user.entity.ts';
import { availableUsername, changeUsername, requireDisplayName, requireUsername } from './usernames.ts';

export interface Client {
  userAgent: string | null;
}

export type SignIn = TokenPair & { user: User };

/**
 * Creates an account and an access token for its first session, and mails a verification token.
 * @throws AppError `invalid_request`, `email_taken`, `username_taken`, `rate_limited`
 */
export const register = (ctx: Ctx, input: unknown, client: Client): Promise<{ user: User; accessToken: string }> =>
  createAccount(ctx, input, async (tx, user) => {
    const { accessToken } = await startSession(tx, user.id, accessTokenSeconds, client.userAgent);
    return { user, accessToken };
  });

/**
 * Creates an account whose first session lasts as long as one of `login`.
 * @throws AppError `invalid_request`, `email_taken`, `username_taken`, `rate_limited`
 */
export const signUp = (ctx: Ctx, input: unknown, client: Client): Promise<SignIn> =>
  createAccount(ctx, input, async (tx, user) => ({ ...(await startLastingSession(tx, user, client)), user }));

async function createAccount<Result>(
  ctx: Ctx,
  input: unknown,
  startFirstSession: (tx: Ctx, user: User) => Promise<Result>,
): Promise<Result> {
  const { email, password, username } = parseInput(registerInput, input);
  await admitRegistration(ctx, email);
  const passwordHash = await hashPassword(password);
  return reportTaken(() =>
    inTransaction(ctx, async (tx) => {
      const now = tx.clock.now();
      if (typeof username === 'string') await requireUsername(tx, username, null);
      const user = tx.em.create(User, {
        id: newId('usr_'),
        email,
        username: username ?? (await availableUsername(tx, email)),
        passwordHash,
        displayName: null,
        avatarUrl: null,
        bio: null,
        emailVerified: false,
        plan: 'free',
        preferences: {},
        createdAt: now,
        updatedAt: now,
        deletionRequestedAt: null,
      });
      await tx.em.persist(user).flush();
      const result = await startFirstSession(tx, user);
      await sendVerification(tx, user);
      await recordAudit(tx, user.id, 'account.registered');
      return result;
    }),
  );
}

/**
 * Creates a session for a correct e-mail address and password. For an unknown address it takes as long and throws the
 * same error as for a wrong password.
 * @throws AppError `invalid_credentials`, `rate_limited`, `account_scheduled_for_deletion`
 */
export async function login(ctx: Ctx, input: unknown, client: Client): Promise<SignIn> {
  const { email, password } = parseInput(loginInput, input);
  const user = await checkPassword(ctx, email, password);
  if (user.deletionRequestedAt) throw new AppError('account_scheduled_for_deletion');
  return inTransaction(ctx, (tx) => signIn(tx, user, client));
}

// Plain SQL, because every login runs it. It locks the row against a concurrent change of the password.
const lockCredentials = {
  name: 'user_lock_credentials',
  text: `select from users where id = $1 and password_hash = $2 and deletion_requested_at is null for share`,
};

/**
 * Creates a session for a user whose password was verified. Call it in a transaction.
 * @throws AppError `invalid_credentials` when the password was changed or the account deleted since then
 */
export async function signIn(ctx: Ctx, user: User, client: Client): Promise<SignIn> {
  if ((await ctx.sql(lockCredentials, [user.id, user.passwordHash])).length === 0) {
    throw new AppError('invalid_credentials');
  }
  const { sessionId, ...tokens } = await startLastingSession(ctx, user, client);
  await recordAudit(ctx, user.id, 'login.succeeded', sessionId);
  return { ...tokens, user };
}

async function startLastingSession(ctx: Ctx, user: User, client: Client): Promise<TokenPair & { sessionId: string }> {
  const { sessionId, accessToken } = await startSession(ctx, user.id, refreshTokenSeconds, client.userAgent);
  const refreshToken = await issueRefreshToken(ctx, sessionId);
  return { accessToken, refreshToken, expiresIn: accessTokenSeconds, sessionId };
}

/** Returns the caller's account. */
export const getProfile = (ctx: Ctx): Promise<User> => ctx.em.findOneOrFail(User, { id: callerId(ctx) });

/** Fields of an account that others see. */
const shownFields = ['displayName', 'bio', 'avatarUrl', 'username'] as const;

const changeSteps = ({ catalog }: Ctx): ProfileChangeStep[] =>
  catalog.features.flatMap(({ beforeProfileChange = [] }) => beforeProfileChange);

/**
 * Updates the given fields of the caller's account. A former username leads to the account for 180 days.
 * @throws AppError `invalid_request`, `username_taken`, `conflict` when the username was changed too often, `forbidden` when a restricted account changes a field that
 * others see
 */
export async function updateProfile(ctx: Ctx, input: unknown): Promise<User> {
  const changes = parseInput(profileInput, input);
  return reportTaken(() =>
    inTransaction(ctx, async (tx) => {
      const user = await getProfile(tx);
      const isNew = (name: keyof typeof changes): boolean =>
        typeof changes[name] === 'string' && changes[name] !== user[name];
      if (shownFields.some(isNew)) for (const step of changeSteps(tx)) await step(tx);
      if (changes.username !== undefined) await changeUsername(tx, user, changes.username);
      if (changes.displayName && isNew('displayName')) requireDisplayName(tx, changes.displayName);
      tx.em.assign(user, { ...changes, updatedAt: tx.clock.now() }, { ignoreUndefined: true });
      await tx.em.flush();
      return user;
    }),
  );
}
