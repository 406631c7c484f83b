import { lockOwnAgent } from '../../agents/agents.ts';
import { lockLiveVersion } from '../../agents/live-version.ts';
import { makeLive } from '../../agents/make-live.ts';
import { lockPlan } from '../../accounts/plan.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { parseInput } from '../../core/input.ts';
import { publish } from '../../core/outbox.ts';
import { requireAgentsWrite } from '../change-versions.ts';
import { findVersion } from '../versions.ts';
import { endExperiment, nextAgentSequence } from './end-experiment.ts';
import type { Experiment } from './experiment.entity.ts';
import { experimentEventData } from './experiment.events.ts';
import { concludeInput } from './experiment.input.ts';
import { getExperiment, lockExperiment, requireVersions, statusConflict } from './experiments.ts';

const countActive = {
  name: 'experiments_under_way',
  text: `
    select count(*) filter (where x.status = 'running') as running, count(*) filter (where x.agent_id = $2) as "ofAgent"
    from experiments x join agents a on a.id = x.agent_id
    where a.owner_id = $1 and a.deleted_at is null and x.status in ('running', 'paused')`,
};
const setRunning = {
  name: 'experiment_set_running',
  text: `update experiments set status = 'running', started_at = coalesce(started_at, $2) where id = $1`,
};
const setPaused = { name: 'experiment_set_paused', text: `update experiments set status = 'paused' where id = $1` };

/**
 * Starts a draft and publishes `experiment.started`.
 * @throws AppError `not_found`, `conflict` unless it is a draft and the agent's only active experiment,
 * `plan_limit_exceeded`
 */
export async function startExperiment(ctx: Ctx, id: string): Promise<Experiment> {
  return inTransaction(ctx, async (tx) => {
    const draft = await lockExperiment(tx, id);
    if (draft.status !== 'draft') throw statusConflict(draft, 'started');
    await requireVersions(tx, draft.agentId, draft.variants);
    const { ownerId } = await lockOwnAgent(tx, draft.agentId);
    const { ofAgent } = await requireCapacity(tx, ownerId, draft.agentId);
    if (ofAgent > 0)
      throw new AppError('conflict', { message: 'Another experiment with this agent is in progress. Stop it first.' });
    await lockLiveVersion(tx, draft.agentId);
    await tx.sql(setRunning, [id, tx.clock.now()]);
    const experiment = await getExperiment(tx, id);
    const sequence = await nextAgentSequence(tx, draft.agentId);
    await publish(tx, ownerId, 'experiment.started', experimentEventData(experiment, sequence));
    return experiment;
  });
}

/**
 * Pauses an experiment: everyone gets the live version until it is resumed. Pausing twice is a no-op.
 * @throws AppError `not_found`, `conflict`
 */
export const pauseExperiment = (ctx: Ctx, id: string): Promise<Experiment> =>
  inTransaction(ctx, async (tx) => {
    const experiment = await lockExperiment(tx, id);
    if (experiment.status === 'paused') return experiment;
    if (experiment.status !== 'running') throw statusConflict(experiment, 'paused');
    await tx.sql(setPaused, [id]);
    return getExperiment(tx, id);
  });

/**
 * Resumes a paused experiment; people keep their variants. Resuming twice is a no-op.
 * @throws AppError `not_found`, `conflict`, `plan_limit_exceeded`
 */
export const resumeExperiment = (ctx: Ctx, id: string): Promise<Experiment> =>
  inTransaction(ctx, async (tx) => {
    const experiment = await lockExperiment(tx, id);
    if (experiment.status === 'running') return experiment;
    if (experiment.status !== 'paused') throw statusConflict(experiment, 'resumed');
    const { ownerId } = await lockOwnAgent(tx, experiment.agentId);
    await requireCapacity(tx, ownerId, experiment.agentId);
    await tx.sql(setRunning, [id, tx.clock.now()]);
    return getExperiment(tx, id);
  });

/**
 * Ends an experiment without a winner and publishes `experiment.ended`.
 * @throws AppError `not_found`, `conflict` unless it is running or paused
 */
export const stopExperiment = (ctx: Ctx, id: string): Promise<Experiment> =>
  inTransaction(ctx, async (tx) => {
    const experiment = await lockActive(tx, id, 'stopped');
    await endExperiment(tx, experiment, { reason: 'stopped' });
    return getExperiment(tx, id);
  });

/**
 * Ends an experiment and makes the winner live. Publishes `experiment.ended`, and `agent.version_published` if the
 * winner was not live.
 * @throws AppError `insufficient_scope`, `invalid_request`, `not_found`, `conflict` unless it is running or paused
 */
export async function concludeExperiment(ctx: Ctx, id: string, input: unknown): Promise<Experiment> {
  requireAgentsWrite(ctx);
  const { versionId } = parseInput(concludeInput, input);
  return inTransaction(ctx, async (tx) => {
    const experiment = await lockActive(tx, id, 'concluded');
    if (!experiment.variants.some((variant) => variant.versionId === versionId))
      throw invalidField('versionId', 'invalid_value', 'version_id must be the version of one of the variants');
    await endExperiment(tx, experiment, { reason: 'concluded', winnerVersionId: versionId });
    const agent = await lockOwnAgent(tx, experiment.agentId);
    const winner = await findVersion(tx, agent.id, versionId);
    if (!winner.isLive) await makeLive(tx, agent, winner);
    return getExperiment(tx, id);
  });
}

async function lockActive(tx: Ctx, id: string, done: string): Promise<Experiment> {
  const experiment = await lockExperiment(tx, id);
  if (experiment.status !== 'running' && experiment.status !== 'paused') throw statusConflict(experiment, done);
  return experiment;
}

/**
 * Checks the plan's limit of running experiments. The account lock prevents concurrent starts from exceeding it.
 * @throws AppError `plan_limit_exceeded`
 */
async function requireCapacity(tx: Ctx, ownerId: string, agentId: string): Promise<{ ofAgent: number }> {
  const plan = await lockPlan(tx, ownerId);
  const [counted] = await tx.sql<{ running: number; ofAgent: number }>(countActive, [ownerId, agentId]);
  const limit = tx.catalog.planLimits.runningExperiments[plan];
  if ((counted?.running ?? 0) < limit) return { ofAgent: counted?.ofAgent ?? 0 };
  throw new AppError('plan_limit_exceeded', {
    message:
      limit === 0
        ? 'Your plan does not include experiments. Choose a larger plan to start one.'
        : `Your plan allows ${limit} running ${limit === 1 ? 'experiment' : 'experiments'}. Pause or stop one, or choose a larger plan.`,
  });
}
