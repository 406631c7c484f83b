import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';

const batchSize = 5_000;

const removeActivity = {
  name: 'agent_remove_activity',
  text: `
    delete from agent_activity where ctid = any (
      array(select ctid from agent_activity where agent_id = $1 limit ${batchSize})) returning 1`,
};
const removePopularity = {
  name: 'agent_remove_popularity',
  text: `
    delete from agent_popularity where ctid = any (
      array(select ctid from agent_popularity where agent_id = $1 limit ${batchSize})) returning 1`,
};
const removeRow = { name: 'agent_remove', text: `delete from agents where id = $1 and deleted_at is not null` };

/** Removes a deleted agent and everything that belongs to it, in batches. Can be repeated after a crash. */
export async function removeAgent(ctx: Ctx, id: string, run: TaskRun): Promise<void> {
  for (const { removeOfAgent = [] } of ctx.catalog.features)
    for (const remove of removeOfAgent) await remove(ctx, id, run);
  for (const statement of [removeActivity, removePopularity]) {
    while ((await ctx.sql(statement, [id])).length === batchSize) await run.heartbeat();
  }
  await ctx.sql(removeRow, [id]);
}
