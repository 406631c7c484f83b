import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';

const lockUser = { name: 'user_lock_plan', text: `select plan from users where id = $1 for no key update` };

/**
 * The user's plan, with the user's row locked until the transaction ends: whoever counts things against the plan after
 * this call counts alone. @throws AppError `unauthenticated` when the account is gone
 */
export async function lockPlan(ctx: Ctx, userId: string): Promise<Plan> {
  const [row] = await ctx.sql<{ plan: Plan }>(lockUser, [userId]);
  if (!row) throw new AppError('unauthenticated');
  return row.plan;
}
