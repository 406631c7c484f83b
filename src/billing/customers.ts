import { sha256 } from '../core/crypto.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { findBillingAccount } from './billing-accounts.ts';

const selectEmail = { name: 'billing_email', text: 'select email from users where id = $1' };
const insert = {
  name: 'billing_account_insert',
  text: `
    insert into billing_accounts (user_id, customer_id, updated_at) values ($1, $2, $3)
    on conflict (user_id) do nothing`,
};

/** The id of the user's customer, who is made at the processor when there is none yet. @throws AppError `unavailable` */
export async function ensureCustomer(ctx: Ctx, userId: string): Promise<string> {
  const known = await findBillingAccount(ctx, userId);
  if (known) return known.customerId;
  const [user] = await ctx.sql<{ email: string }>(selectEmail, [userId]);
  if (!user) throw new AppError('unauthenticated');
  const { email } = user;
  // The same request is the same customer, however often it is sent; another address is another request.
  const idempotencyKey = `customer-${userId}-${sha256(email).toString('hex').slice(0, 12)}`;
  const customerId = await ctx.ports.payments.createCustomer({ userId, email, idempotencyKey });
  await ctx.sql(insert, [userId, customerId, ctx.clock.now()]);
  return (await findBillingAccount(ctx, userId))?.customerId ?? customerId;
}

/**
 * Ends what the user pays for and deletes the customer at the processor, with everything it keeps about the person. Call
 * it outside of a transaction, before the user's row is deleted; can be run again. @throws AppError `unavailable`
 */
export async function deleteBillingCustomer(ctx: Ctx, userId: string): Promise<void> {
  const account = await findBillingAccount(ctx, userId);
  if (account) await ctx.ports.payments.deleteCustomer(account.customerId);
}
