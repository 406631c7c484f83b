import { exampleValues } from '../../core/example-values.ts';
import type { EventEntries } from '../../core/outbox.ts';
import type { EndedReason, ExperimentFields, ExperimentMetric, ExperimentStatus } from './experiment.entity.ts';
import type { Verdict } from './judge.ts';

interface ExperimentEventData {
  id: string;
  agentId: string;
  name: string;
  hypothesis: string | null;
  status: ExperimentStatus;
  variants: readonly { key: string; versionId: string; weight: number }[];
  metric: ExperimentMetric;
  expectedPeople: number;
  minDays: number;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  endedReason: EndedReason | null;
  winnerVersionId: string | null;
  sequence: number;
}

interface ExperimentEvents {
  'experiment.started': ExperimentEventData;
  'experiment.ended': ExperimentEventData & { verdict: Verdict };
}

declare module '../../core/outbox.ts' {
  interface EventData extends ExperimentEvents {}
}

const { agentId, versionId, experimentId, at, later } = exampleValues;
const example: ExperimentEventData = {
  id: experimentId,
  agentId,
  name: 'Ask before explaining',
  hypothesis: 'A question first keeps people in the conversation.',
  status: 'running',
  variants: [
    { key: 'a', versionId, weight: 50 },
    { key: 'b', versionId: versionId.replace(/.$/, '9'), weight: 50 },
  ],
  metric: 'continued',
  expectedPeople: 1_000,
  minDays: 7,
  createdAt: at,
  startedAt: at,
  endedAt: null,
  endedReason: null,
  winnerVersionId: null,
  sequence: 7,
};

const verdict = { type: 'string', enum: ['collecting', 'no_difference_yet', 'better', 'worse', 'invalid'] };

export const experimentEvents: EventEntries<ExperimentEvents> = {
  'experiment.started': {
    description: 'An experiment with an agent was started. `data` is the experiment.',
    data: [{ resource: 'Experiment' }],
    example,
  },
  'experiment.ended': {
    description: 'An experiment ended. `data` is the experiment with its `verdict` at that time.',
    data: [{ resource: 'Experiment' }, { properties: { verdict } }],
    example: {
      ...example,
      status: 'ended',
      endedAt: later,
      endedReason: 'concluded',
      winnerVersionId: example.variants[1]?.versionId ?? null,
      verdict: 'better',
      sequence: 8,
    },
  },
};

export const experimentEventData = (experiment: ExperimentFields, sequence: number): ExperimentEventData => ({
  id: experiment.id,
  agentId: experiment.agentId,
  name: experiment.name,
  hypothesis: experiment.hypothesis ?? null,
  status: experiment.status,
  variants: experiment.variants.map(({ key, versionId: id, weight }) => ({ key, versionId: id, weight })),
  metric: experiment.metric,
  expectedPeople: experiment.expectedPeople,
  minDays: experiment.minDays,
  createdAt: experiment.createdAt,
  startedAt: experiment.startedAt ?? null,
  endedAt: experiment.endedAt ?? null,
  endedReason: experiment.endedReason ?? null,
  winnerVersionId: experiment.winnerVersionId ?? null,
  sequence,
});
