import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';

const setDelivered = {
  name: 'generation_delivered',
  text: `update generations set delivered_at = $2 where id = $1 and user_id = $3 and delivered_at is null`,
};

/**
 * Records that a client of the caller has received the end of a reply. If the same text is sent again, it is a new
 * message from then on.
 */
export async function markDelivered(ctx: Ctx, generationId: string): Promise<void> {
  await ctx.sql(setDelivered, [generationId, ctx.clock.now(), callerId(ctx)]);
}
