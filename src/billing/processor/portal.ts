import { callerId } from '../../accounts/caller.ts';
import { randomToken } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { withCustomer } from './customers.ts';
import { withinBudget } from './time-budget.ts';

/**
 * Creates a link to the processor's page for the caller's payment methods, invoices and billing details.
 * @throws AppError `unavailable`
 */
export async function createPortalSession(ctx: Ctx): Promise<{ portalUrl: string; expiresAt: Date }> {
  const userId = callerId(ctx);
  return withinBudget(async () => {
    const key = `portal-${userId}-${randomToken(12)}`;
    const { url, expiresAt } = await withCustomer(ctx, userId, (customerId) =>
      ctx.ports.payments.openPortal(customerId, ctx.config.publicUrl, key),
    );
    return { portalUrl: url, expiresAt };
  });
}
