import { lockOwnAgent } from '../../agents/agents.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError, invalidField, notFound } from '../../core/errors.ts';
import { isId, newId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import { getVersionedAgent } from '../versions.ts';
import type { Variant } from './assign-variant.ts';
import { Experiment, type ExperimentFields } from './experiment.entity.ts';
import { createExperimentInput, minDaysOf, listExperimentsInput, updateExperimentInput } from './experiment.input.ts';

const experimentColumns = columnsOf(Experiment, 'x');

const listOfAgent = orderedList<Experiment>({
  name: 'experiments_list',
  columns: experimentColumns,
  from: 'experiments x where x.agent_id = $1 and x.deleted_at is null',
  valueCount: 1,
  key: { column: 'x.created_at', kind: 'time', of: (experiment) => experiment.createdAt },
  id: { column: 'x.id', of: (experiment) => experiment.id },
});
const countOfAgent = {
  name: 'experiments_count',
  text: `select count(*) as total from experiments where agent_id = $1 and deleted_at is null`,
};

/**
 * Lists the experiments of one of the caller's agents, newest first.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function listExperiments(ctx: Ctx, agentId: string, input: unknown): Promise<Page<Experiment>> {
  const page = parseInput(listExperimentsInput, input);
  const { id } = await getVersionedAgent(ctx, agentId);
  return withTotal(ctx, readSlice(ctx, listOfAgent, [id], page), page, countOfAgent, [id]);
}

const selectExperiment = {
  name: 'experiment_get',
  text: `
    select ${experimentColumns} from experiments x join agents a on a.id = x.agent_id
    where x.id = $1 and a.owner_id = $2 and a.deleted_at is null and x.deleted_at is null`,
};

/**
 * Returns an experiment of one of the caller's agents.
 * @throws AppError `not_found`
 */
export async function getExperiment(ctx: Ctx, id: string): Promise<Experiment> {
  const [experiment] = isId('xpt_', id) ? await ctx.sql<Experiment>(selectExperiment, [id, callerId(ctx)]) : [];
  if (!experiment) throw notFound();
  return experiment;
}

/** Maximum number of experiments of an agent, including ended ones. */
const maxExperiments = 100;

const insertExperiment = {
  name: 'experiment_insert',
  text: `
    insert into experiments (id, agent_id, name, hypothesis, status, variants, metric, expected_people, min_days, created_at)
    values ($1, $2, $3, $4, 'draft', $5::jsonb, $6, $7, $8, $9)`,
};

/**
 * Creates an experiment as a draft.
 * @throws AppError `invalid_request`, `not_found`, `conflict` above 100 experiments of the agent
 */
export async function createExperiment(ctx: Ctx, agentId: string, input: unknown): Promise<Experiment> {
  const fields = parseInput(createExperimentInput, input);
  requireDays(fields);
  return inTransaction(ctx, async (tx) => {
    const agent = await lockOwnAgent(tx, agentId);
    await requireVersions(tx, agent.id, fields.variants);
    const [counted] = await tx.sql<{ total: number }>(countOfAgent, [agent.id]);
    if ((counted?.total ?? 0) >= maxExperiments) {
      const message = `An agent can have at most ${maxExperiments} experiments. Delete a finished one.`;
      throw new AppError('conflict', { message });
    }
    const id = newId('xpt_');
    const { name, hypothesis, variants, metric, expectedPeople, minDays } = fields;
    const stored = JSON.stringify(variants);
    const values = [id, agent.id, name, hypothesis, stored, metric, expectedPeople, minDays, tx.clock.now()];
    await tx.sql(insertExperiment, values);
    return getExperiment(tx, id);
  });
}

const changeExperiment = {
  name: 'experiment_change',
  text: `
    update experiments set name = $2, hypothesis = $3, variants = $4::jsonb, metric = $5, expected_people = $6, min_days = $7
    where id = $1`,
};

/**
 * Updates the given fields of a draft. A metric that needs a longer minimum duration raises it, unless it is given.
 * @throws AppError `invalid_request`, `not_found`, `conflict` after the start
 */
export async function updateExperiment(ctx: Ctx, id: string, input: unknown): Promise<Experiment> {
  const changes = parseInput(updateExperimentInput, input);
  return inTransaction(ctx, async (tx) => {
    const experiment = await lockExperiment(tx, id);
    if (experiment.status !== 'draft') throw statusConflict(experiment, 'changed');
    const { name, hypothesis, variants, metric, expectedPeople, ...stored } = {
      ...pick(experiment),
      ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
    } as Pick<ExperimentFields, (typeof changeable)[number]>;
    // The caller may never have chosen the stored duration, so only a given one is refused.
    const minDays = changes.minDays ?? Math.max(stored.minDays, minDaysOf(metric));
    requireDays({ metric, minDays });
    await requireVersions(tx, experiment.agentId, variants);
    const values = [id, name, hypothesis ?? null, JSON.stringify(variants), metric, expectedPeople, minDays];
    await tx.sql(changeExperiment, values);
    return getExperiment(tx, id);
  });
}

const changeable = ['name', 'hypothesis', 'variants', 'metric', 'expectedPeople', 'minDays'] as const;

const pick = (experiment: ExperimentFields): Partial<ExperimentFields> =>
  Object.fromEntries(changeable.map((field) => [field, experiment[field]]));

function requireDays({ metric, minDays }: Pick<ExperimentFields, 'metric' | 'minDays'>): void {
  const minimum = minDaysOf(metric);
  if (minDays < minimum)
    throw invalidField('minDays', 'too_small', `minDays must be at least ${minimum} for the metric ${metric}`);
}

const countVersions = {
  name: 'experiment_versions',
  text: `select count(*) as known from agent_versions where agent_id = $1 and id = any ($2)`,
};

/**
 * Checks that every variant names a version of the agent.
 * @throws AppError `not_found`
 */
export async function requireVersions(ctx: Ctx, agentId: string, variants: readonly Variant[]): Promise<void> {
  const ids = [...new Set(variants.map(({ versionId }) => versionId))];
  if (!ids.every((id) => isId('ver_', id))) throw notFound();
  const [counted] = await ctx.sql<{ known: number }>(countVersions, [agentId, ids]);
  if (counted?.known !== ids.length) throw notFound();
}

/**
 * Locks the agent of one of the caller's experiments and returns the experiment.
 * @throws AppError `not_found`
 */
export async function lockExperiment(tx: Ctx, id: string): Promise<Experiment> {
  const { agentId } = await getExperiment(tx, id);
  await lockOwnAgent(tx, agentId);
  // The status may have changed before the lock was acquired.
  return getExperiment(tx, id);
}

/** Creates the error for an operation that the experiment's status does not allow. */
export const statusConflict = ({ status }: Pick<Experiment, 'status'>, done: string): AppError =>
  new AppError('conflict', { message: `An experiment that is ${statusNames[status]} cannot be ${done}.` });

const statusNames = { draft: 'a draft', running: 'running', paused: 'paused', ended: 'over' } as const;
