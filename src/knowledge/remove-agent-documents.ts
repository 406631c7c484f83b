import type { Ctx } from '../core/ctx.ts';
import { type BatchRemoval, removeInBatches } from '../core/database/remove-in-batches.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';

const batchSize = 100;
const documents: BatchRemoval = {
  name: 'documents_remove_of_agent',
  text: `
    delete from documents where id = any (array(select id from documents where agent_id = $1 limit ${batchSize}))
    returning 1`,
  batchSize,
};

/** Removes the documents of a deleted agent. A trigger enqueues the removal of their chunks, vectors and files. */
export async function removeAgentDocuments(ctx: Ctx, agentId: string, run: TaskRun): Promise<void> {
  await removeInBatches(ctx, [documents], agentId, run);
}
