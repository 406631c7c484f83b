import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';
import type { Variant } from './assign-variant.ts';

export const experimentStatuses = ['draft', 'running', 'paused', 'ended'] as const;
export type ExperimentStatus = (typeof experimentStatuses)[number];

export const experimentMetrics = ['continued', 'returned'] as const;
export type ExperimentMetric = (typeof experimentMetrics)[number];

/** The reason why an experiment ended. */
export type EndedReason = 'concluded' | 'stopped' | 'guardrail' | 'agent_unpublished';

const ExperimentSchema = defineEntity({
  name: 'Experiment',
  tableName: 'experiments',
  properties: {
    id: p.text().primary(),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    name: p.text(),
    hypothesis: p.text().strictNullable(),
    status: p.text().$type<ExperimentStatus>(),
    variants: p.json<Variant[]>(),
    metric: p.text().$type<ExperimentMetric>(),
    /** Number of people at which the confidence interval is narrowest. */
    expectedPeople: p.integer(),
    minDays: p.integer(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    endedAt: p.datetime(3).strictNullable(),
    endedReason: p.text().$type<EndedReason>().strictNullable(),
    winnerVersionId: p.text().strictNullable(),
    /** Time of deletion; the row remains until a task has removed its exposures. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** A comparison of versions of an agent. At most one experiment per agent is running or paused. */
export class Experiment extends ExperimentSchema.class {}
ExperimentSchema.setClass(Experiment);

/** The fields of an experiment without the entity's methods. */
export type ExperimentFields = { [Field in keyof Experiment]: Experiment[Field] };
