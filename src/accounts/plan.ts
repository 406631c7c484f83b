import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';

// Plain SQL, because creating an agent and sending a message run it.
const lockUser = { name: 'user_lock_plan', text: `select plan from users where id = $1 for no key update` };

/**
 * Returns the user's plan and locks the user's row until the transaction ends, so that checks of a plan limit are
 * serialized.
 * @throws AppError `unauthenticated` when the account was deleted
 */
export async function lockPlan(ctx: Ctx, userId: string): Promise<Plan> {
  const [row] = await ctx.sql<{ plan: Plan }>(lockUser, [userId]);
  if (!row) throw new AppError('unauthenticated');
  return row.plan;
}
