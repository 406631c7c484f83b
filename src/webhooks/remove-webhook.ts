import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';
import { Webhook } from './webhook.entity.ts';

const batchSize = 2_000;

const removeDeliveries = {
  name: 'webhook_remove_deliveries',
  text: `
    delete from webhook_deliveries where (id, created_at) in (
      select id, created_at from webhook_deliveries where webhook_id = $1 limit ${batchSize})
    returning 1`,
};

/** Removes the deliveries of a deleted webhook in batches, and then its row. */
export async function removeWebhook(ctx: Ctx, webhookId: string, run: TaskRun): Promise<void> {
  for (let size = batchSize; size === batchSize;) {
    size = (await ctx.sql(removeDeliveries, [webhookId])).length;
    await run.heartbeat();
  }
  await inTransaction(ctx, async (tx) => {
    await tx.em.nativeDelete(Webhook, { id: webhookId, deletedAt: { $ne: null } });
    await run.complete(tx);
  });
}
