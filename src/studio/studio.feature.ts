import type { Feature } from '../core/feature.ts';
import { aggregateStudioNotes } from './analytics/aggregate-notes.ts';
import { AgentDay } from './analytics/agent-day.entity.ts';
import { AgentDayUser } from './analytics/agent-day-user.entity.ts';
import { createStudioPartitions, dropStudioPartitions } from './analytics/partitions.ts';
import { StudioNote } from './analytics/studio-note.entity.ts';
import { AgentDayPeople } from './analytics/sums/agent-day-people.entity.ts';
import { AgentPerson } from './analytics/sums/agent-person.entity.ts';
import { AgentInterestDay } from './analytics/interest/agent-interest-day.entity.ts';
import { AgentWeekPeople } from './analytics/sums/agent-week-people.entity.ts';
import { removeOldPeople } from './analytics/sums/remove-old-people.ts';
import { StudioSums } from './analytics/sums/studio-sums.entity.ts';
import { sumPeople } from './analytics/sums/sum-people.ts';
import { endWhenUnpublished, refuseDuringExperiment } from './experiments/end-experiment.ts';
import { ExperimentExposure } from './experiments/experiment-exposure.entity.ts';
import { ExperimentSum } from './experiments/experiment-sum.entity.ts';
import { Experiment } from './experiments/experiment.entity.ts';
import { experimentEvents } from './experiments/experiment.events.ts';
import { judgeExperiments } from './experiments/judge-experiments.ts';
import { removeExperiment } from './experiments/remove-experiment.ts';
import { pruneVersions } from './prune-versions.ts';
import { removeStudioOfAgent } from './remove-studio.ts';
import { studioExport } from './studio.export.ts';
import { purgeNotes } from './studio.purge.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    xpt_: 'experiment';
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'studio.aggregate': object;
    'studio.judge': object;
    'studio.partitions': object;
    'studio.sums': object;
    'studio.removeExperiment': { experimentId: string };
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'studio:read': true;
    'studio:write': true;
  }
}

declare module '../core/feature.ts' {
  interface PlanLimits {
    versionsPerAgent: number;
    runningExperiments: number;
    analyticsDays: number;
  }
}

export const studio: Feature = {
  name: 'studio',
  scopes: ['studio:read', 'studio:write'],
  entities: [
    Experiment,
    ExperimentExposure,
    ExperimentSum,
    StudioNote,
    AgentDay,
    AgentInterestDay,
    AgentDayUser,
    AgentPerson,
    AgentDayPeople,
    AgentWeekPeople,
    StudioSums,
  ],
  idPrefixes: { experiment: 'xpt_' },
  events: experimentEvents,
  planLimits: {
    versionsPerAgent: { free: 20, plus: 100, pro: 300, creator: 300 },
    runningExperiments: { free: 0, plus: 1, pro: 5, creator: 50 },
    analyticsDays: { free: 7, plus: 90, pro: 365, creator: 365 },
  },
  jobs: [
    {
      // Analytics are at most about a minute behind.
      kind: 'studio.aggregate',
      everyMs: 60_000,
      concurrency: 1,
      handle: (ctx, _payload, { signal }) => aggregateStudioNotes(ctx, signal),
    },
    {
      // Counts the outcomes of experiments and ends those with a failing variant.
      kind: 'studio.judge',
      everyMs: 300_000,
      concurrency: 1,
      handle: (ctx, _payload, { signal }) => judgeExperiments(ctx, signal),
    },
    {
      kind: 'studio.partitions',
      everyMs: 86_400_000,
      atStart: true,
      concurrency: 1,
      handle: createStudioPartitions,
    },
    {
      kind: 'studio.removeExperiment',
      concurrency: 1,
      retryDelaysSeconds: [2, 10, 60],
      handle: (ctx, { experimentId }, run) => removeExperiment(ctx, experimentId, run),
    },
    {
      // Aggregates the users of settled weeks, so that a year of analytics reads few rows.
      kind: 'studio.sums',
      everyMs: 6 * 3_600_000,
      concurrency: 1,
      handle: (ctx, _payload, { signal }) => sumPeople(ctx, signal),
    },
  ],
  expiries: [
    { name: 'agentDayUsers', remove: dropStudioPartitions },
    { name: 'agentPeople', remove: removeOldPeople },
  ],
  purge: [purgeNotes],
  exportSections: studioExport,
  beforeBehaviourChange: [refuseDuringExperiment],
  onVersionAdded: [pruneVersions],
  onAgentUnpublished: [endWhenUnpublished],
  removeOfAgent: [removeStudioOfAgent],
};
