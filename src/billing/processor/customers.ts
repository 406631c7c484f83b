import { User } from '../../accounts/user.entity.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { BillingAccount } from '../billing-account.entity.ts';
import { findBillingAccount } from '../billing-accounts.ts';

/**
 * Returns the id of the user's customer, which is created at the processor if there is none yet.
 * @throws AppError `unavailable`
 */
export async function ensureCustomer(ctx: Ctx, userId: string): Promise<string> {
  const known = await findBillingAccount(ctx, userId);
  if (known) return known.customerId;
  const user = await ctx.em.findOne(User, { id: userId });
  if (!user) throw new AppError('unauthenticated');
  const { email } = user;
  // Repeating the same request returns the same customer. A different e-mail address is a different request.
  const idempotencyKey = `customer-${userId}-${sha256(email).toString('hex').slice(0, 12)}`;
  const customerId = await ctx.ports.payments.createCustomer({ userId, email, idempotencyKey });
  const account = { userId, customerId, updatedAt: ctx.clock.now() };
  await ctx.em.upsert(BillingAccount, account, { onConflictAction: 'ignore', disableIdentityMap: true });
  return (await findBillingAccount(ctx, userId))?.customerId ?? customerId;
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
