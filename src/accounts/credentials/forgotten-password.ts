import { decrypt, encrypt, sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import type { EncryptedColumn } from '../../core/database/re-encrypt.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { forgotPasswordInput, passwordProblem, resetPasswordInput } from '../account.input.ts';
import { cancelAccountTokens, getTokenOwner, issueAccountToken, spendAccountToken } from './account-tokens.ts';
import { recordAudit } from '../audit.ts';
import { admitMail } from '../mail/mail-limits.ts';
import { sendMail } from '../mail/mails.ts';
import { hashPassword } from './passwords.ts';
import { revokeSessions } from './sessions.ts';
import { User } from '../user.entity.ts';

const context = 'forgotten password';

export const encryptedResetRequests: EncryptedColumn = {
  table: 'tasks',
  column: 'payload',
  field: 'sealed',
  where: `t.kind = 'account.forgotten-password'`,
  key: { id: 0 },
  contextOf: () => context,
};

/**
 * Enqueues a reset mail. A job looks up the address later, so that neither the response nor its timing reveals whether
 * an account exists.
 * @throws AppError `invalid_request`
 */
export async function forgotPassword(ctx: Ctx, input: unknown): Promise<void> {
  const { email } = parseInput(forgotPasswordInput, input);
  const ip = ctx.actor.kind === 'system' ? null : ctx.actor.ip;
  const sealed = encrypt(ctx.config.encryptionKeys, JSON.stringify({ email, ip }), context);
  await inTransaction(ctx, (tx) =>
    enqueueTask(
      tx,
      'account.forgotten-password',
      { sealed },
      { key: sha256(`${context} ${email}`).toString('base64url') },
    ),
  );
}

/**
 * Sends the mail of `forgotPassword`, as a job. Sends nothing to an address without an account, or when too many mails
 * were sent within the hour.
 */
export async function sendResetMail(ctx: Ctx, sealed: string, complete: (ctx: Ctx) => Promise<void>): Promise<void> {
  const json = decrypt(ctx.config.encryptionKeys, sealed, context).toString();
  const { email, ip } = JSON.parse(json) as { email: string; ip: string | null };
  await inTransaction({ ...ctx, actor: { kind: 'anonymous', ip } }, async (tx) => {
    const user = await tx.em.findOne(User, { email, deletionRequestedAt: null });
    if (user) await mailToken(tx, user);
    await complete(tx);
  });
}

async function mailToken(ctx: Ctx, { id, username, email }: User): Promise<void> {
  try {
    await admitMail(ctx, email);
    const token = await issueAccountToken(ctx, id, 'reset');
    await sendMail(ctx, { userId: id, template: 'resetPassword', data: { token, username } });
    await recordAudit(ctx, id, 'password.reset_requested');
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error;
  }
}

/**
 * Sets a new password with the token of a reset mail and revokes all sessions.
 * @throws AppError `invalid_request`, `invalid_token`
 */
export async function resetPassword(ctx: Ctx, input: unknown): Promise<void> {
  const { token, newPassword } = parseInput(resetPasswordInput, input);
  // Checked first, so that an invalid token does not cause the expensive hash.
  const owner = await getTokenOwner(ctx, token, 'reset');
  const problem = passwordProblem(newPassword, owner.email, owner.username);
  if (problem) throw invalidField('newPassword', 'too_weak', `newPassword: ${problem}`);
  const passwordHash = await hashPassword(newPassword);
  await inTransaction(ctx, async (tx) => {
    const { userId } = await spendAccountToken(tx, token, 'reset');
    await tx.em.nativeUpdate(User, { id: userId }, { passwordHash, updatedAt: tx.clock.now() });
    for (const kind of ['reset', 'change'] as const) await cancelAccountTokens(tx, userId, kind);
    await revokeSessions(tx, userId);
    await sendMail(tx, { userId, template: 'passwordChanged', data: { username: owner.username } });
    await recordAudit(tx, userId, 'password.reset');
  });
}
