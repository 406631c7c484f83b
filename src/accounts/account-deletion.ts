import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { enqueueTask } from '../core/tasks.ts';
import { inTransaction } from '../core/transaction.ts';
import { loginInput } from './account.input.ts';
import { type Client, type SignIn, signIn } from './accounts.ts';
import { cancelAccountTokens } from './account-tokens.ts';
import { recordAudit } from './audit.ts';
import { callerId } from './caller.ts';
import { checkPassword } from './check-password.ts';
import { sendMail } from './mails.ts';
import { endSessions } from './sessions.ts';

/** How long a deleted account can be taken back. */
export const gracePeriodMs = 30 * 24 * 3_600_000;

export const purgeTask = 'account.purge';
/** At ten minutes a try, a month. */
const maxAttempts = 5_000;

const schedule = {
  name: 'account_schedule_deletion',
  text: `
    update users set deletion_requested_at = $2, updated_at = $2 where id = $1 and deletion_requested_at is null
    returning username`,
};

/** Ends every credential of the caller at once, and the account for good when the grace period ends. */
export async function deleteAccount(ctx: Ctx): Promise<{ deletedAt: Date; gracePeriodEnds: Date }> {
  const userId = callerId(ctx);
  const deletedAt = ctx.clock.now();
  const gracePeriodEnds = new Date(deletedAt.getTime() + gracePeriodMs);
  await inTransaction(ctx, async (tx) => {
    const [user] = await tx.sql<{ username: string }>(schedule, [userId, deletedAt]);
    if (!user) throw new AppError('unauthenticated');
    await endSessions(tx, userId);
    await cancelAccountTokens(tx, userId, 'reset');
    await enqueuePurge(tx, userId, gracePeriodEnds);
    const data = { username: user.username, gracePeriodEnds: gracePeriodEnds.toISOString() };
    await sendMail(tx, { userId, template: 'deletionScheduled', data });
    await recordAudit(tx, userId, 'account.deletion_scheduled');
  });
  return { deletedAt, gracePeriodEnds };
}

/** Has the account purged at `runAt`, if it is still to be deleted then. */
export const enqueuePurge = (ctx: Ctx, userId: string, runAt: Date): Promise<void> =>
  enqueueTask(ctx, purgeTask, { userId }, { key: userId, runAt, maxAttempts });

const restore = {
  name: 'account_restore',
  text: `
    update users set deletion_requested_at = null, updated_at = $2
    where id = $1 and deletion_requested_at > $3 and not exists (select from deletion_receipts where user_id = $1)
    returning username`,
};

/**
 * Takes a deleted account back and signs in. Its API keys work again, its sessions stay ended.
 * @throws AppError `invalid_credentials` (also after the grace period), `rate_limited`, `conflict` when it was not deleted
 */
export async function restoreAccount(ctx: Ctx, input: unknown, client: Client): Promise<SignIn> {
  const { email, password } = parseInput(loginInput, input);
  const user = await checkPassword(ctx, email, password);
  if (!user.deletionRequestedAt) {
    throw new AppError('conflict', { message: 'This account is not scheduled for deletion. Log in as usual.' });
  }
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const [restored] = await tx.sql<{ username: string }>(restore, [
      user.id,
      now,
      new Date(now.getTime() - gracePeriodMs),
    ]);
    if (!restored) throw new AppError('invalid_credentials');
    await sendMail(tx, { userId: user.id, template: 'accountRestored', data: restored });
    await recordAudit(tx, user.id, 'account.restored');
    return signIn(tx, user, client);
  });
}
