import { decrypt, encrypt, sha256 } from '../core/crypto.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, invalidField } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import type { EncryptedColumn } from '../core/re-encrypt.ts';
import { enqueueTask } from '../core/tasks.ts';
import { inTransaction } from '../core/transaction.ts';
import { forgotPasswordInput, passwordProblem, resetPasswordInput } from './account.input.ts';
import { cancelAccountTokens, getTokenOwner, issueAccountToken, spendAccountToken } from './account-tokens.ts';
import { recordAudit } from './audit.ts';
import { sendMail } from './mails.ts';
import { hashPassword } from './passwords.ts';
import { endSessions } from './sessions.ts';
import { User } from './user.entity.ts';

export const forgottenPasswordTask = 'account.forgotten-password';
const context = 'forgotten password';

export const encryptedResetRequests: EncryptedColumn = {
  table: 'tasks',
  column: 'payload',
  field: 'sealed',
  where: `t.kind = '${forgottenPasswordTask}'`,
  key: { id: 0 },
  contextOf: () => context,
};

/**
 * Has a reset mail sent when the address has an account. Whether it has is found out later by a job, so that neither the
 * answer nor its time tells. @throws AppError `invalid_request`
 */
export async function forgotPassword(ctx: Ctx, input: unknown): Promise<void> {
  const { email } = parseInput(forgotPasswordInput, input);
  const ip = ctx.actor.kind === 'system' ? null : ctx.actor.ip;
  const sealed = encrypt(ctx.config.encryptionKeys, JSON.stringify({ email, ip }), context);
  await inTransaction(ctx, (tx) =>
    enqueueTask(tx, forgottenPasswordTask, { sealed }, { key: sha256(`${context} ${email}`).toString('base64url') }),
  );
}

/** The job behind `forgotPassword`. An address without account, or with five mails this hour, gets none. */
export async function sendResetMail(ctx: Ctx, sealed: string, complete: (ctx: Ctx) => Promise<void>): Promise<void> {
  const json = decrypt(ctx.config.encryptionKeys, sealed, context).toString();
  const { email, ip } = JSON.parse(json) as { email: string; ip: string | null };
  await inTransaction({ ...ctx, actor: { kind: 'anonymous', ip } }, async (tx) => {
    const user = await tx.em.findOne(User, { email, deletionRequestedAt: null });
    if (user) await mailToken(tx, user);
    await complete(tx);
  });
}

async function mailToken(ctx: Ctx, { id, username }: User): Promise<void> {
  try {
    const token = await issueAccountToken(ctx, id, 'reset');
    await sendMail(ctx, { userId: id, template: 'resetPassword', data: { token, username } });
    await recordAudit(ctx, id, 'password.reset_requested');
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error;
  }
}

/** A new password for the token of a reset mail. Ends every session. @throws AppError `invalid_request`, `invalid_token` */
export async function resetPassword(ctx: Ctx, input: unknown): Promise<void> {
  const { token, newPassword } = parseInput(resetPasswordInput, input);
  // Before the costly hash, which nobody gets for a made-up token.
  const owner = await getTokenOwner(ctx, token, 'reset');
  const problem = passwordProblem(newPassword, owner.email, owner.username);
  if (problem) throw invalidField('newPassword', 'too_weak', `newPassword: ${problem}`);
  const passwordHash = await hashPassword(newPassword);
  await inTransaction(ctx, async (tx) => {
    const userId = await spendAccountToken(tx, token, 'reset');
    await tx.em.nativeUpdate(User, { id: userId }, { passwordHash, updatedAt: tx.clock.now() });
    await cancelAccountTokens(tx, userId, 'reset');
    await endSessions(tx, userId);
    await sendMail(tx, { userId, template: 'passwordChanged', data: { username: owner.username } });
    await recordAudit(tx, userId, 'password.reset');
  });
}
