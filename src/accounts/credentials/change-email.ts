import type { Ctx } from '../../core/ctx.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { changeEmailInput } from '../account.input.ts';
import { recordAudit } from '../audit.ts';
import { callerId } from '../caller.ts';
import { admitMail } from '../mail/mail-limits.ts';
import { sendMail } from '../mail/mails.ts';
import { reportTaken } from '../taken.ts';
import { User } from '../user.entity.ts';
import { cancelAccountTokens, issueAccountToken, spendAccountToken } from './account-tokens.ts';
import { checkPassword } from './check-password.ts';
import { revokeSessions } from './sessions.ts';

/**
 * Mails a token to a new e-mail address of the caller and a notice to the current one. The address changes once
 * `confirmNewEmail` receives the token. A later request replaces the token.
 * @throws AppError `invalid_request`, `invalid_credentials` for a wrong password, `email_taken`, `rate_limited`
 */
export async function changeEmail(ctx: Ctx, input: unknown): Promise<void> {
  const { newEmail, currentPassword } = parseInput(changeEmailInput, input);
  const { id, email, username } = await ctx.em.findOneOrFail(User, { id: callerId(ctx) });
  if (newEmail === email)
    throw invalidField('newEmail', 'unchanged', 'newEmail: must differ from the address of the account');
  const { passwordHash } = await checkPassword(ctx, email, currentPassword);
  await admitMail(ctx, newEmail);
  await inTransaction(ctx, async (tx) => {
    if ((await tx.em.count(User, { email: newEmail })) > 0) throw new AppError('email_taken');
    await cancelAccountTokens(tx, id, 'change');
    // Locks the account, so that the password check below sees a concurrent change: a token must not be issued for the
    // old password.
    const token = await issueAccountToken(tx, id, 'change', newEmail);
    const unchanged = { id, passwordHash, deletionRequestedAt: null };
    if ((await tx.em.count(User, unchanged)) === 0) throw new AppError('invalid_credentials');
    await sendMail(tx, { userId: id, template: 'confirmNewEmail', data: { token, username }, to: newEmail });
    await sendMail(tx, { userId: id, template: 'emailChangeRequested', data: { username, newEmail }, to: email });
    await recordAudit(tx, id, 'email.change_requested');
  });
}

/**
 * Changes the caller's e-mail address to the one that received the token, and revokes all other sessions. Tokens that
 * were mailed to the old address become invalid.
 * @throws AppError `invalid_token`, `email_taken`
 */
export async function confirmNewEmail(ctx: Ctx, token: string): Promise<void> {
  const userId = callerId(ctx);
  await reportTaken(() =>
    inTransaction(ctx, async (tx) => {
      const { email } = await spendAccountToken(tx, token, 'change', userId);
      const user = await tx.em.findOneOrFail(User, { id: userId });
      const { email: oldEmail, username } = user;
      if (email === null) throw new AppError('invalid_token');
      tx.em.assign(user, { email, emailVerified: true, updatedAt: tx.clock.now() });
      await tx.em.flush();
      for (const kind of ['reset', 'verify'] as const) await cancelAccountTokens(tx, userId, kind);
      await revokeSessions(tx, userId, tx.actor.kind === 'user' ? tx.actor.sessionId : null);
      for (const to of [oldEmail, email]) {
        await sendMail(tx, { userId, template: 'emailChanged', data: { username, newEmail: email }, to });
      }
      for (const { onEmailChanged = [] } of tx.catalog.features)
        for (const step of onEmailChanged) await step(tx, userId);
      await recordAudit(tx, userId, 'email.changed');
    }),
  );
}
