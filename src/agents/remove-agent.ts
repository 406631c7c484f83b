import type { Ctx } from '../core/ctx.ts';
import { removalOf, removeInBatches } from '../core/database/remove-in-batches.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';

const ofAgent = { column: 'agent_id', batchSize: 5_000 };
const removals = [
  removalOf({ name: 'agent_remove_activity', table: 'agent_activity', ...ofAgent }),
  removalOf({ name: 'agent_remove_popularity', table: 'agent_popularity', ...ofAgent }),
];
const removeRow = { name: 'agent_remove', text: `delete from agents where id = $1 and deleted_at is not null` };

/** Removes a deleted agent and everything that belongs to it, in batches. Safe to repeat after a crash. */
export async function removeAgent(ctx: Ctx, id: string, run: TaskRun): Promise<void> {
  for (const { removeOfAgent = [] } of ctx.catalog.features)
    for (const remove of removeOfAgent) await remove(ctx, id, run);
  await removeInBatches(ctx, removals, id, run);
  await ctx.sql(removeRow, [id]);
}
