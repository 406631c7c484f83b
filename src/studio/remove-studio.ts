import type { AgentRemovalStep } from '../agents/agent.ports.ts';
import { type BatchRemoval, removalOf, removeInBatches } from '../core/database/remove-in-batches.ts';

const batchSize = 5_000;

const dayUsers: BatchRemoval = {
  name: 'agent_remove_day_users',
  text: `
    delete from agent_day_users where (tableoid, ctid) in (
      select tableoid, ctid from agent_day_users where agent_id = $1 limit ${batchSize}) returning 1`,
  batchSize,
};
const people = removalOf({ name: 'agent_remove_people', table: 'agent_people', column: 'agent_id', batchSize });
const exposures: BatchRemoval = {
  name: 'agent_remove_exposures',
  text: `
    delete from experiment_exposures where ctid = any (array(
      select e.ctid from experiment_exposures e join experiments x on x.id = e.experiment_id
      where x.agent_id = $1 limit ${batchSize})) returning 1`,
  batchSize,
};

/**
 * Removes the potentially large tables of a deleted agent's analytics and experiments in batches. Foreign keys remove
 * the rest.
 */
export const removeStudioOfAgent: AgentRemovalStep = (ctx, agentId, run) =>
  removeInBatches(ctx, [dayUsers, people, exposures], agentId, run);
