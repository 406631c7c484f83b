import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { findBillingAccount } from './billing-accounts.ts';
import type { PaymentMethod } from './payments.ports.ts';
import { withinBudget } from './processor/time-budget.ts';

/**
 * Returns the caller's payment method; null before the first payment. Calls the processor each time.
 * @throws AppError `unavailable`
 */
export async function getPaymentMethod(ctx: Ctx): Promise<PaymentMethod | null> {
  const account = await findBillingAccount(ctx, callerId(ctx));
  if (!account?.customerId) return null;
  const { customerId } = account;
  return withinBudget(() => ctx.ports.payments.getPaymentMethod(customerId));
}
