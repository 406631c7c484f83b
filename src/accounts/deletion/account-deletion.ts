import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { loginInput } from '../account.input.ts';
import { type Client, type SignIn, signIn } from '../accounts.ts';
import { cancelAccountTokens } from '../credentials/account-tokens.ts';
import { recordAudit } from '../audit.ts';
import { callerId } from '../caller.ts';
import { checkPassword } from '../credentials/check-password.ts';
import { sendMail } from '../mail/mails.ts';
import { revokeSessions } from '../credentials/sessions.ts';
import { User } from '../user.entity.ts';
import { DeletionReceipt } from './deletion-receipt.entity.ts';

declare module '../../core/feature.ts' {
  interface Feature {
    /** Run in the transaction that schedules an account for deletion, so their work must be bounded. */
    onAccountLeaving?: readonly ((tx: Ctx, userId: string) => Promise<void>)[];
  }
}

/** How long a deleted account can be restored, in milliseconds. */
const gracePeriodMs = 30 * 24 * 3_600_000;

/** Lasts about a month at one attempt every ten minutes. */
const maxAttempts = 5_000;

/** Disables all credentials of the caller immediately, and schedules the purge for the end of the grace period. */
export const deleteAccount = (ctx: Ctx): Promise<{ deletedAt: Date; gracePeriodEnds: Date }> =>
  inTransaction(ctx, async (tx) => {
    const userId = callerId(tx);
    const deletedAt = tx.clock.now();
    const gracePeriodEnds = new Date(deletedAt.getTime() + gracePeriodMs);
    const user = await lockUser(tx, userId);
    if (!user || user.deletionRequestedAt) throw new AppError('unauthenticated');
    tx.em.assign(user, { deletionRequestedAt: deletedAt, updatedAt: deletedAt });
    await tx.em.flush();
    await revokeSessions(tx, userId);
    await cancelAccountTokens(tx, userId, 'reset');
    await enqueuePurge(tx, userId, gracePeriodMs);
    for (const { onAccountLeaving = [] } of tx.catalog.features)
      for (const step of onAccountLeaving) await step(tx, userId);
    const data = { username: user.username, gracePeriodEnds: gracePeriodEnds.toISOString() };
    await sendMail(tx, { userId, template: 'deletionScheduled', data });
    await recordAudit(tx, userId, 'account.deletion_scheduled');
    return { deletedAt, gracePeriodEnds };
  });

/** Enqueues the purge of an account. The purge is a no-op if the account was restored by then. */
export const enqueuePurge = (ctx: Ctx, userId: string, delayMs: number): Promise<void> =>
  enqueueTask(ctx, 'account.purge', { userId }, { key: userId, delayMs, maxAttempts });

/**
 * Restores a deleted account and logs in. Its API keys work again; its sessions stay revoked.
 * @throws AppError `invalid_credentials` (also after the grace period), `rate_limited`, `conflict` when the account was
 * not deleted
 */
export async function restoreAccount(ctx: Ctx, input: unknown, client: Client): Promise<SignIn> {
  const { email, password } = parseInput(loginInput, input);
  const { id, deletionRequestedAt } = await checkPassword(ctx, email, password);
  if (!deletionRequestedAt) {
    throw new AppError('conflict', { message: 'This account is not scheduled for deletion. Log in as usual.' });
  }
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const user = await lockUser(tx, id);
    const isOver = !user?.deletionRequestedAt || graceLeftMs(user.deletionRequestedAt, now) <= 0;
    if (isOver || (await tx.em.count(DeletionReceipt, { userId: id })) > 0) throw new AppError('invalid_credentials');
    tx.em.assign(user, { deletionRequestedAt: null, updatedAt: now });
    await tx.em.flush();
    await sendMail(tx, { userId: id, template: 'accountRestored', data: { username: user.username } });
    await recordAudit(tx, id, 'account.restored');
    return signIn(tx, user, client);
  });
}

/** Returns the milliseconds until the grace period ends; zero or negative when it has ended. */
export const graceLeftMs = (requestedAt: Date, now: Date): number =>
  requestedAt.getTime() + gracePeriodMs - now.getTime();

/** Returns the user's row and locks it, so that a restore and a purge exclude each other. */
export const lockUser = (tx: Ctx, id: string): Promise<User | null> =>
  tx.em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
