import type { Ctx } from '../../core/ctx.ts';
import { removalOf, removeInBatches } from '../../core/database/remove-in-batches.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { lockExperiment, statusConflict } from './experiments.ts';

const markDeleted = {
  name: 'experiment_mark_deleted',
  text: `update experiments set deleted_at = now() where id = $1`,
};
const exposures = removalOf({
  name: 'experiment_remove_exposures',
  table: 'experiment_exposures',
  column: 'experiment_id',
  batchSize: 5_000,
});
const removeRow = {
  name: 'experiment_remove',
  text: `delete from experiments where id = $1 and deleted_at is not null`,
};

/**
 * Deletes a draft or an ended experiment. It is hidden immediately; a task removes its exposures and then its row.
 * @throws AppError `not_found`, `conflict` for a running or paused experiment
 */
export async function deleteExperiment(ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    const { status } = await lockExperiment(tx, id);
    if (status === 'running' || status === 'paused') throw statusConflict({ status }, 'deleted. Stop it first');
    await tx.sql(markDeleted, [id]);
    await enqueueTask(tx, 'studio.removeExperiment', { experimentId: id }, { key: id, maxAttempts: 1_000 });
  });
  return { id, deleted: true };
}

/** Removes the exposures of a deleted experiment in batches, and then its row. */
export async function removeExperiment(ctx: Ctx, id: string, run: TaskRun): Promise<void> {
  await removeInBatches(ctx, [exposures], id, run);
  await ctx.sql(removeRow, [id]);
}
