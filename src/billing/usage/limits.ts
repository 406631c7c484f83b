import { callerId } from '../../accounts/caller.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { snakeCase } from '../../core/wire.ts';
import { shownLimit } from './usage.ts';

/** All limits that the features declare, for the plan of the account. A limit of -1 means unlimited. */
export interface AccountLimits {
  plan: Plan;
  data: readonly { name: string; limit: number }[];
}

const selectPlan = { name: 'billing_limits_plan', text: `select plan from users where id = $1` };

/** Returns the limits of the caller's plan. */
export async function getLimits(ctx: Ctx): Promise<AccountLimits> {
  const [user] = await ctx.sql<{ plan: Plan }>(selectPlan, [callerId(ctx)]);
  if (!user) throw new AppError('unauthenticated');
  const data = Object.entries(ctx.catalog.planLimits).map(([name, limits]) => ({
    name: snakeCase(name),
    limit: shownLimit(limits[user.plan]),
  }));
  return { plan: user.plan, data };
}
