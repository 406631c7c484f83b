import { User } from '../../accounts/user.entity.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { BillingAccount } from '../billing-account.entity.ts';
import { findBillingAccount } from '../billing-accounts.ts';

/**
 * Runs a call for the user's customer, which is created at the processor if there is none. The call returns null when
 * the customer was deleted there; it is then repeated for a new one.
 * @throws AppError `unavailable`
 */
export async function withCustomer<Result>(
  ctx: Ctx,
  userId: string,
  call: (customerId: string) => Promise<Result | null>,
): Promise<Result> {
  const customerId = (await findBillingAccount(ctx, userId))?.customerId ?? (await createCustomer(ctx, userId, null));
  const result = (await call(customerId)) ?? (await call(await createCustomer(ctx, userId, customerId)));
  if (result === null) throw new AppError('unavailable', { retryAfterSeconds: 5 });
  return result;
}

/** Creates the user's customer, in place of `deletedId` if that was deleted. Returns the id of the one that counts. */
async function createCustomer(ctx: Ctx, userId: string, deletedId: string | null): Promise<string> {
  const user = await ctx.em.findOne(User, { id: userId });
  if (!user) throw new AppError('unauthenticated');
  const { email } = user;
  // Repeating the same request returns the same customer. A different e-mail address is a different request.
  const request = sha256(`${email} ${deletedId ?? ''}`)
    .toString('hex')
    .slice(0, 12);
  const customerId = await ctx.ports.payments.createCustomer({
    userId,
    email,
    idempotencyKey: `customer-${userId}-${request}`,
  });
  const account = { userId, customerId, updatedAt: ctx.clock.now() };
  if (deletedId === null)
    await ctx.em.upsert(BillingAccount, account, { onConflictAction: 'ignore', disableIdentityMap: true });
  else await ctx.em.nativeUpdate(BillingAccount, { userId, customerId: deletedId }, account);
  return (await findBillingAccount(ctx, userId))?.customerId ?? customerId;
}

/** Gives the user's address to the processor, which mails receipts to it. A no-op for a user without a customer. */
export async function updateCustomer(ctx: Ctx, userId: string): Promise<void> {
  const account = await findBillingAccount(ctx, userId);
  const user = await ctx.em.findOne(User, { id: userId }, { fields: ['email'] });
  if (account && user) await ctx.ports.payments.setEmail(account.customerId, user.email);
}

/**
 * Ends the user's subscriptions and deletes the customer at the processor with all personal data there. Call it outside
 * a transaction, before the user's row is deleted. Safe to repeat.
 * @throws AppError `unavailable`
 */
export async function deleteBillingCustomer(ctx: Ctx, userId: string): Promise<void> {
  const account = await findBillingAccount(ctx, userId);
  if (account) await ctx.ports.payments.deleteCustomer(account.customerId);
}
