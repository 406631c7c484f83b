import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';
import { lockExperiment, statusConflict } from './experiments.ts';

const batchSize = 5_000;

const markDeleted = {
  name: 'experiment_mark_deleted',
  text: `update experiments set deleted_at = now() where id = $1`,
};
const removeExposures = {
  name: 'experiment_remove_exposures',
  text: `
    delete from experiment_exposures where ctid = any (
      array(select ctid from experiment_exposures where experiment_id = $1 limit ${batchSize})) returning 1`,
};
const removeRow = {
  name: 'experiment_remove',
  text: `delete from experiments where id = $1 and deleted_at is not null`,
};

/**
 * Deletes an experiment that is a draft or over: it disappears at once, and a task removes who took part.
 * @throws AppError `not_found`, `conflict`
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

/** Removes the people of a deleted experiment in batches, and then its row. */
export async function removeExperiment(ctx: Ctx, id: string, run: TaskRun): Promise<void> {
  while ((await ctx.sql(removeExposures, [id])).length === batchSize) await run.heartbeat();
  await ctx.sql(removeRow, [id]);
}
