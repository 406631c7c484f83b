import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';

const batchSize = 5_000;

const removePeople = {
  name: 'agent_remove_day_users',
  text: `
    delete from agent_day_users where (tableoid, ctid) in (
      select tableoid, ctid from agent_day_users where agent_id = $1 limit ${batchSize}) returning 1`,
};
const removeSummedPeople = {
  name: 'agent_remove_people',
  text: `
    delete from agent_people where ctid = any (array(
      select ctid from agent_people where agent_id = $1 limit ${batchSize})) returning 1`,
};
const removeExposures = {
  name: 'agent_remove_exposures',
  text: `
    delete from experiment_exposures where ctid = any (array(
      select e.ctid from experiment_exposures e join experiments x on x.id = e.experiment_id
      where x.agent_id = $1 limit ${batchSize})) returning 1`,
};

/** Removes, in batches, what may be large of a deleted agent's figures and experiments. */
export async function removeStudioOfAgent(ctx: Ctx, agentId: string, run: TaskRun): Promise<void> {
  for (const statement of [removePeople, removeSummedPeople, removeExposures])
    while ((await ctx.sql(statement, [agentId])).length === batchSize) await run.heartbeat();
}
