import type { Ctx } from '../core/ctx.ts';

declare module '../core/feature.ts' {
  interface Feature {
    /**
     * Returns whether the caller has chosen to see agents for adults in lists. False for all users when no feature
     * provides it.
     */
    showsMature?: (ctx: Ctx) => Promise<boolean>;
  }
}

/** Returns whether the caller has chosen to see agents for adults. */
export async function showsMature(ctx: Ctx): Promise<boolean> {
  if (ctx.actor.kind !== 'user') return false;
  for (const feature of ctx.catalog.features) if (await feature.showsMature?.(ctx)) return true;
  return false;
}
