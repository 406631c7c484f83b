import type { Ctx } from '../../core/ctx.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { changePasswordInput, passwordProblem } from '../account.input.ts';
import { cancelAccountTokens } from './account-tokens.ts';
import { recordAudit } from '../audit.ts';
import { callerId } from '../caller.ts';
import { checkPassword } from './check-password.ts';
import { sendMail } from '../mail/mails.ts';
import { hashPassword } from './passwords.ts';
import { revokeSessions } from './sessions.ts';
import { User } from '../user.entity.ts';

/**
 * Changes the caller's password and revokes all other sessions.
 * @throws AppError `invalid_request`, `invalid_credentials` for a wrong current password, `rate_limited`
 */
export async function changePassword(ctx: Ctx, input: unknown): Promise<void> {
  const { currentPassword, newPassword } = parseInput(changePasswordInput, input);
  const caller = await ctx.em.findOneOrFail(User, { id: callerId(ctx) });
  const problem = passwordProblem(newPassword, caller.email, caller.username);
  if (problem) throw invalidField('newPassword', 'too_weak', `newPassword: ${problem}`);
  const { passwordHash: checkedHash } = await checkPassword(ctx, caller.email, currentPassword);
  const passwordHash = await hashPassword(newPassword);
  await inTransaction(ctx, async (tx) => {
    // The update applies only if the password is unchanged: a concurrent change or reset must not be overwritten by a
    // caller who knows only the old password.
    const unchanged = { id: caller.id, passwordHash: checkedHash, deletionRequestedAt: null };
    const changed = await tx.em.nativeUpdate(User, unchanged, { passwordHash, updatedAt: tx.clock.now() });
    if (changed === 0) throw new AppError('invalid_credentials');
    for (const kind of ['reset', 'change'] as const) await cancelAccountTokens(tx, caller.id, kind);
    await revokeSessions(tx, caller.id, tx.actor.kind === 'user' ? tx.actor.sessionId : null);
    await sendMail(tx, { userId: caller.id, template: 'passwordChanged', data: { username: caller.username } });
    await recordAudit(tx, caller.id, 'password.changed');
  });
}
