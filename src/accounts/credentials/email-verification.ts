import type { Ctx } from '../../core/ctx.ts';
import { parseInput } from '../../core/input.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { tokenInput } from '../account.input.ts';
import { isChangeToken, issueAccountToken, spendAccountToken } from './account-tokens.ts';
import { confirmNewEmail } from './change-email.ts';
import { recordAudit } from '../audit.ts';
import { callerId } from '../caller.ts';
import { admitMail } from '../mail/mail-limits.ts';
import { sendMail } from '../mail/mails.ts';
import { User } from '../user.entity.ts';

/** Mails a token that proves control of the address. Call it in a transaction. @throws AppError `rate_limited` */
export async function sendVerification(ctx: Ctx, { id, username }: Pick<User, 'id' | 'username'>): Promise<void> {
  const token = await issueAccountToken(ctx, id, 'verify');
  await sendMail(ctx, { userId: id, template: 'verifyEmail', data: { token, username } });
}

/**
 * Verifies the caller's e-mail address with the token of the verification mail. With a token that was mailed to a new
 * address, changes the address to that one.
 * @throws AppError `invalid_request`, `invalid_token`, `email_taken`
 */
export async function verifyEmail(ctx: Ctx, input: unknown): Promise<void> {
  const { token } = parseInput(tokenInput, input);
  if (isChangeToken(token)) return confirmNewEmail(ctx, token);
  const userId = callerId(ctx);
  await inTransaction(ctx, async (tx) => {
    await spendAccountToken(tx, token, 'verify', userId);
    await tx.em.nativeUpdate(User, { id: userId }, { emailVerified: true, updatedAt: tx.clock.now() });
    await recordAudit(tx, userId, 'email.verified');
  });
}

/** Sends the verification mail again; a no-op when the address is verified. @throws AppError `rate_limited` */
export async function resendVerification(ctx: Ctx): Promise<void> {
  const { email, emailVerified } = await ctx.em.findOneOrFail(User, { id: callerId(ctx) });
  if (emailVerified) return;
  await admitMail(ctx, email);
  await inTransaction(ctx, async (tx) => {
    const user = await tx.em.findOneOrFail(User, { id: callerId(tx) });
    if (!user.emailVerified) await sendVerification(tx, user);
  });
}
