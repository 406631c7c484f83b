import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';
import type { Variant } from './assign-variant.ts';

export const experimentStatuses = ['draft', 'running', 'paused', 'ended'] as const;
export type ExperimentStatus = (typeof experimentStatuses)[number];

export const experimentMetrics = ['continued', 'returned'] as const;
export type ExperimentMetric = (typeof experimentMetrics)[number];

/** Why an experiment ended. */
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
    /** Number of people for which the interval is narrowest. */
    expectedPeople: p.integer(),
    minDays: p.integer(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    endedAt: p.datetime(3).strictNullable(),
    endedReason: p.text().$type<EndedReason>().strictNullable(),
    winnerVersionId: p.text().strictNullable(),
    /** Set while it waits to be removed. */
    deletedAt: p.datetime(3).strictNullable(),
  },
});

/** Versions of an agent that compete. At most one experiment of an agent is running or paused. */
export class Experiment extends ExperimentSchema.class {}
ExperimentSchema.setClass(Experiment);

/** The fields of an experiment, for values that are made of others. */
export type ExperimentFields = { [Field in keyof Experiment]: Experiment[Field] };
