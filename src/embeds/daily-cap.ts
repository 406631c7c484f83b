import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import type { Embed } from './embed.entity.ts';

type StoredCap = Pick<Embed, 'perDay' | 'defaultPerDay'>;

/** Returns a third of the owner's daily quota, so that an attack through the website leaves the rest to the owner. */
function defaultCap({ catalog }: Ctx, plan: Plan): number {
  const perDay = catalog.planLimits.messagesPerDay[plan];
  return perDay === Infinity ? 2_000 : Math.max(1, Math.floor(perDay / 3));
}

/** Returns the messages that an embed accepts per day: the default for the owner's plan until the owner chose another. */
export const dailyCapOf = (ctx: Ctx, plan: Plan, { perDay, defaultPerDay }: StoredCap): number =>
  perDay === defaultPerDay ? defaultCap(ctx, plan) : perDay;

/** Returns the stored form of a chosen cap. No choice, or the default itself, means the default for any later plan. */
export function storedCap(ctx: Ctx, plan: Plan, chosen?: number): StoredCap {
  const cap = defaultCap(ctx, plan);
  return { perDay: chosen ?? cap, defaultPerDay: chosen === undefined || chosen === cap ? cap : null };
}
